"""Loads a dataset the way its users do and compares that with what its files say.

    python check_dataset.py DIR

Nothing of this project is imported: only `datasets`, `pyarrow` and the manifest. Ends with a
non-zero status at the first mismatch.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import sys
import tempfile

import datasets
import pyarrow.parquet

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB = 2


class Mismatch(Exception):
    """Something is not as the manifest or the conventions say."""


def demand(condition, message):
    if not condition:
        raise Mismatch(message)


def check_files(folder, manifest):
    """Every file of the manifest is there, whole, and nothing else is."""
    listed = {file["path"] for file in manifest["files"]}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet")}
    demand(listed == found, f"files: manifest and folder differ in {sorted(listed ^ found)}")
    for file in manifest["files"]:
        digest = hashlib.sha256((folder / file["path"]).read_bytes()).hexdigest()
        demand(digest == file["sha256"], f"{file['path']}: SHA-256 is {digest}")
        metadata = pyarrow.parquet.read_metadata(folder / file["path"])
        demand(metadata.num_rows == file["rows"], f"{file['path']}: {metadata.num_rows} rows")
        largest = max(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))
        demand(largest <= 100, f"{file['path']}: a row group of {largest} rows")
    print(f"files: {len(listed)} match the manifest")


def check_row(row, where):
    """What trainers demand of a row read without `datasets`."""
    pictures = row["images"]
    demand(pictures, f"{where}: no pictures")
    for picture in pictures:
        data = picture["bytes"]
        demand(data[:8] == PNG_SIGNATURE and data[25] == RGB, f"{where}: a picture is no RGB PNG")
        stem = picture["path"].removesuffix(".png").split("-")[0]
        demand(stem == row["id"], f"{where}: the picture is called {picture['path']}")
    (plain,), (verl,) = row["prompt"], row["prompt_verl"]
    demand(plain["role"] == verl["role"] == "user", f"{where}: the role is not user")
    demand("<image>" not in plain["content"], f"{where}: <image> in the plain prompt")
    count = verl["content"].count("<image>")
    demand(count == len(pictures), f"{where}: {count} times <image> for {len(pictures)} pictures")
    demand(verl["content"].endswith(plain["content"]), f"{where}: the prompts differ")
    reward, extra = row["reward_model"], row["extra_info"]
    demand(reward["style"] == "rule", f"{where}: the reward's style is {reward['style']}")
    demand(isinstance(reward["ground_truth"], str), f"{where}: the ground truth is no text")
    demand(reward["ground_truth"] == row["answer"], f"{where}: the ground truth is not the answer")
    json.loads(row["answer"])
    demand(extra["id"] == row["id"] and extra["split"] == row["split"], f"{where}: extra_info differs")
    demand(row["data_source"] == f"topotrace/{row['task']}", f"{where}: {row['data_source']}")
    demand(int(row["seed"]) >= 0, f"{where}: the seed is {row['seed']}")


def read_directly(folder, manifest):
    """Ids and answers by configuration and split, in order, read by pyarrow alone."""
    rows = collections.defaultdict(list)
    for file in manifest["files"]:
        place = (file["config"], file["split"])
        for batch in pyarrow.parquet.ParquetFile(folder / file["path"]).iter_batches(100):
            for row in batch.to_pylist():
                check_row(row, f"{file['path']}: {row['id']}")
                demand(row["split"] == file["split"], f"{row['id']}: split {row['split']}")
                demand(
                    row["extra_info"]["index"] == len(rows[place]),
                    f"{row['id']}: index {row['extra_info']['index']}",
                )
                rows[place].append((row["id"], row["answer"]))
    ids = [id for place in rows.values() for id, _ in place]
    demand(len(ids) == len(set(ids)), "an id occurs twice")
    wanted = sum(group["count"] for group in manifest["groups"])
    demand(len(ids) == wanted, f"{len(ids)} rows instead of {wanted}")
    print(f"pyarrow: {len(ids)} rows keep what trainers demand")
    return rows


def check_pictures(loaded, side, where):
    """The column is a list of pictures and decodes to RGB of the published size."""
    feature = loaded.features["images"]
    inner = feature[0] if isinstance(feature, list) else feature.feature
    demand(isinstance(inner, datasets.Image), f"{where}: images is {feature}")
    for row in loaded:
        for picture in row["images"]:
            demand(picture.mode == "RGB", f"{where}: mode {picture.mode}")
            demand(max(picture.size) == side, f"{where}: size {picture.size}")
            picture.load()


def compare(loaded, rows, where):
    found = list(zip(loaded["id"], loaded["answer"]))
    demand(found == rows, f"{where}: rows differ from those read by pyarrow")


def check_loading(folder, manifest, rows, cache):
    side = manifest["side"]
    everything = datasets.load_dataset(str(folder), cache_dir=cache)
    for split in everything:
        # The default configuration joins all others, in the order of their names.
        wanted = [row for place in sorted(rows) if place[1] == split for row in rows[place]]
        compare(everything[split], wanted, f"all/{split}")
        check_pictures(everything[split], side, f"all/{split}")
    total = sum(len(everything[split]) for split in everything)
    demand(total == sum(map(len, rows.values())), f"the default configuration has {total} rows")
    print(f"load_dataset(DIR): {total} rows in {', '.join(everything)}")
    for config, split in sorted(rows):
        loaded = datasets.load_dataset(str(folder), config, split=split, cache_dir=cache)
        compare(loaded, rows[config, split], f"{config}/{split}")
        print(f"load_dataset(DIR, {config!r}): {len(loaded)} rows of {split}")


def check_single_files(folder, manifest, cache):
    """As verl does: file by file, without the card."""
    features = None
    for file in manifest["files"]:
        path = str(folder / file["path"])
        loaded = datasets.load_dataset("parquet", data_files=path, cache_dir=cache)["train"]
        check_pictures(loaded, manifest["side"], file["path"])
        demand(features in (None, loaded.features), f"{file['path']}: features differ between files")
        features = loaded.features
        streamed = datasets.load_dataset("parquet", data_files=path, split="train", streaming=True)
        first = next(iter(streamed))
        demand(first["id"] == loaded[0]["id"], f"{file['path']}: streaming differs")
        demand(first["images"][0].mode == "RGB", f"{file['path']}: streaming does not decode")
    print(f"load_dataset('parquet', …): {len(manifest['files'])} files decode, loaded and streamed")


def check_card(folder, manifest):
    """The card's pictures are there."""
    card = (folder / "README.md").read_text(encoding="utf-8")
    for task in {group["task"] for group in manifest["groups"]}:
        path = folder / "card" / f"{task.replace('/', '-')}.png"
        demand(f"](card/{path.name})" in card, f"README.md does not show {path.name}")
        demand(path.read_bytes()[:8] == PNG_SIGNATURE, f"{path.name} is no PNG")
    print("README.md: every task has its pictures")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    datasets.disable_progress_bars()
    try:
        demand(manifest["complete"], "the build did not come to its end")
        check_files(folder, manifest)
        rows = read_directly(folder, manifest)
        with tempfile.TemporaryDirectory() as cache:
            check_loading(folder, manifest, rows, cache)
            check_single_files(folder, manifest, cache)
        check_card(folder, manifest)
    except Mismatch as mismatch:
        sys.exit(f"mismatch: {mismatch}")


if __name__ == "__main__":
    main()
