"""Loads one dataset in its three formats, each the way its users do, and compares them.

    python check_formats.py PARQUET WEBDATASET IMAGEFOLDER

The rows and pictures of the Parquet files, read with `pyarrow` alone, are what the others must
give. Nothing of this project is imported. Ends with a non-zero status at the first mismatch.
"""

import argparse
import io
import json
import pathlib
import sys
import tempfile

import datasets
import PIL.Image
import pyarrow.parquet
import webdataset

from check_dataset import Mismatch, demand


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def pixels(picture):
    """Mode, size and every channel of a picture, decoded."""
    return picture.mode, picture.size, picture.tobytes()


def decoded(data):
    return pixels(PIL.Image.open(io.BytesIO(data)))


def read_parquet(folder):
    """Id, state, answer, prompt and pictures by split, in order."""
    rows = {}
    for file in manifest_of(folder)["files"]:
        for row in pyarrow.parquet.read_table(folder / file["path"]).to_pylist():
            known = rows.setdefault(file["split"], [])
            known.append({**facts(row), "pictures": [decoded(p["bytes"]) for p in row["images"]]})
    return rows


def facts(row):
    return {key: row[key] for key in ("id", "state_hash", "answer", "prompt", "trace", "operations")}


def compare(found, wanted, where):
    demand(len(found) == len(wanted), f"{where}: {len(found)} rows instead of {len(wanted)}")
    for ours, theirs in zip(found, wanted):
        for key, value in theirs.items():
            demand(ours[key] == value, f"{where}: {key} of {theirs['id']} differs")


def check_nothing_is_null(row, where):
    """Loaders guess types from the first rows: a null there breaks later ones."""
    for key, value in row.items():
        demand(value is not None, f"{where}: {key} of {row['id']} is null")


def check_webdataset_library(folder, wanted):
    """As its users do: shards given by path, samples decoded by extension."""
    for split, rows in wanted.items():
        paths = [str(folder / f["path"]) for f in manifest_of(folder)["files"] if f["split"] == split]
        found, keys = [], []
        for sample in webdataset.WebDataset(paths, shardshuffle=False).decode("pil"):
            check_nothing_is_null(sample["json"], split)
            found.append({**facts(sample["json"]), "pictures": [pixels(p) for p in sample_pictures(sample)]})
            keys.append(sample["__key__"])
        demand(len(set(keys)) == len(keys), f"{split}: a key occurs twice")
        compare(found, rows, f"webdataset {split}")
    print(f"webdataset {webdataset.__version__}: {sum(map(len, wanted.values()))} samples")


def sample_pictures(sample):
    names = sorted((key for key in sample if key.split(".")[-1] == "png"), key=lambda key: (len(key), key))
    return [sample[name] for name in names]


def check_image_folder_files(folder, wanted):
    """Without any library: lines of JSON, and the files that they name."""
    for split, rows in wanted.items():
        found = []
        for file in manifest_of(folder)["files"]:
            if file["split"] != split:
                continue
            path = folder / file["path"]
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                check_nothing_is_null(row, split)
                names = row["file_names"] if "file_names" in row else [row["file_name"]]
                pictures = [decoded((path.parent / name).read_bytes()) for name in names]
                found.append({**facts(row), "pictures": pictures})
        compare(found, rows, f"imagefolder {split}")
    print(f"metadata.jsonl: {sum(map(len, wanted.values()))} lines")


def loaded_row(row):
    """A row of `load_dataset`, whichever format it came from."""
    if "json" in row:
        return {**facts(row["json"]), "pictures": [pixels(p) for p in sample_pictures(row)]}
    pictures = row["images"] if "images" in row else [row["image"]]
    return {**facts(row), "pictures": [pixels(picture) for picture in pictures]}


def check_load_dataset(folder, wanted, streaming):
    """The folder as it is: the card says where everything lies. Where rows have different numbers of
    pictures and these are fields of their own, no configuration holds all rows: they are joined here."""
    where = f"{folder.name}, streamed" if streaming else folder.name
    names = datasets.get_dataset_config_names(str(folder))
    found = {split: [] for split in wanted}
    with tempfile.TemporaryDirectory() as cache:
        for name in ["all"] if "all" in names else names:
            loaded = datasets.load_dataset(str(folder), name, cache_dir=cache, streaming=streaming)
            demand(set(loaded) == set(wanted), f"{where} {name}: splits {sorted(loaded)}")
            for split in wanted:
                found[split] += [loaded_row(row) for row in loaded[split]]
        for split, rows in wanted.items():
            compare(found[split], rows, f"{where} {split}")
    print(f"load_dataset, {where}: {sum(map(len, wanted.values()))} rows")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parquet", type=pathlib.Path)
    parser.add_argument("webdataset", type=pathlib.Path)
    parser.add_argument("imagefolder", type=pathlib.Path)
    folders = parser.parse_args()
    datasets.disable_progress_bars()
    print(f"datasets {datasets.__version__}")
    try:
        wanted = read_parquet(folders.parquet)
        check_webdataset_library(folders.webdataset, wanted)
        check_image_folder_files(folders.imagefolder, wanted)
        for folder in (folders.parquet, folders.webdataset, folders.imagefolder):
            for streaming in (False, True):
                check_load_dataset(folder, wanted, streaming)
    except Mismatch as mismatch:
        sys.exit(f"mismatch: {mismatch}")


if __name__ == "__main__":
    main()
