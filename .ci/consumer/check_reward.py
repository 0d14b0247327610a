"""Runs the example reward function for real against a built dataset.

    python check_reward.py DIR BINARY

DIR is a dataset, BINARY the built `xtask`. Ends with a non-zero status at the first mismatch.
"""

import argparse
import concurrent.futures
import importlib
import json
import multiprocessing
import os
import pathlib
import shlex
import sys

import pyarrow.parquet

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "reward" / "reward.py"
KEYS = ["score", "exact", "formatted", "penalised"]
COLUMNS = ["id", "answer", "data_source", "reward_model", "extra_info"]


class Mismatch(Exception):
    """A reward is not as the contract says."""


def demand(condition, message):
    if not condition:
        raise Mismatch(message)


def read_rows(folder):
    files = sorted(folder.rglob("*.parquet"))
    rows = [row for file in files for row in pyarrow.parquet.read_table(file, columns=COLUMNS).to_pylist()]
    demand(rows, f"{folder} has no rows")
    return rows


def load_example(folder, binary):
    os.environ["TOPOTRACE"] = shlex.join([str(binary), "score", "--stream", str(folder), "--quiet"])
    sys.path.insert(0, str(EXAMPLE.parent))
    return importlib.import_module("reward")


def wrong_answer(row):
    """A legal answer that is wrong."""
    right, domain = json.loads(row["answer"]), json.loads(row["extra_info"]["domain"])
    members = domain.get("members", [])
    candidates = {
        "integer": lambda: [domain["min"], domain["max"]],
        "label": lambda: members,
        "set": lambda: [[name] for name in members],
        "sequence": lambda: [[name] * domain["length"] for name in members],
        "plan": lambda: [[]],
    }
    return next(answer for answer in candidates[domain["kind"]]() if answer != right)


def responses(row):
    """Responses with their rewards: exact, formatted, penalised."""
    right = json.dumps({"answer": json.loads(row["answer"])})
    return [
        (json.dumps({"answer": wrong_answer(row)}), (0.0, 0.05, 0.0)),
        (f"Let me look.\n{right}", (1.0, 1.0, 1.0)),
        (f"It is {right}, I think.", (1.0, 0.95, 1.0)),
        ("I give up.", (0.0, 0.0, -0.1)),
        ('{"answer": {"nested": ["nonsense"]}}', (0.0, 0.0, -0.1)),
        ("\x00\r\n\u2028é\U0001f600", (0.0, 0.0, -0.1)),
    ]


def check_verl(module, rows):
    for row in rows:
        for response, wanted in responses(row):
            given = module.compute_score(
                data_source=row["data_source"],
                solution_str=response,
                ground_truth=row["reward_model"]["ground_truth"],
                extra_info=row["extra_info"],
                sandbox_fusion_url=None,
            )
            demand(list(given) == KEYS, f"{row['id']}: the keys are {list(given)}")
            found = (given["exact"], given["formatted"], given["penalised"])
            demand(found == wanted, f"{row['id']}: {response!r} gives {found}, not {wanted}")
            demand(given["score"] == given["penalised"], f"{row['id']}: the score is {given['score']}")


def check_trl(module, rows):
    table = [(row["id"], response, wanted[2]) for row in rows for response, wanted in responses(row)]
    ids, texts, wanted = map(list, zip(*table))
    messages = [[{"role": "assistant", "content": text}] for text in texts]
    for completions in (texts, messages):
        found = module.reward(prompts=[""] * len(ids), completions=completions, id=ids, seed=ids)
        demand(found == wanted, "TRL's rewards differ from those of the contract")
    # Many threads at once must not get each other's answers.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda id, text: module.rewards(id, text)["score"], ids, texts))
    demand(found == wanted, "rewards differ between threads")
    # Nor must processes that were forked after the first answer.
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = [given["score"] for given in pool.starmap(module.rewards, zip(ids, texts))]
    demand(found == wanted, "rewards differ between processes")


def check_errors(module, rows):
    def message(kind, id):
        try:
            module.rewards(id, "")
        except kind as error:
            return str(error)
        raise Mismatch(f"{id!r} raises no {kind.__name__}")

    demand("unknown" in message(ValueError, "0" * 32), "an unknown id is not named")
    demand("number" in message(ValueError, 17), "an id of another type is not named")
    module.judge(os.getpid()).kill()
    demand(module.COMMAND in message(RuntimeError, rows[0]["id"]), "the end of the judge is not named")
    demand(module.rewards(rows[0]["id"], "")["score"] == -0.1, "the judge does not start again")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("binary", type=pathlib.Path)
    arguments = parser.parse_args()
    lines = EXAMPLE.read_text(encoding="utf-8").count("\n")
    try:
        demand(lines <= 30, f"{EXAMPLE.name} has {lines} lines")
        rows = read_rows(arguments.folder)
        module = load_example(arguments.folder, arguments.binary.resolve())
        check_verl(module, rows)
        check_trl(module, rows)
        check_errors(module, rows)
    except Mismatch as mismatch:
        sys.exit(f"mismatch: {mismatch}")
    print(f"rewards: {len(rows)} rows are judged as the contract says, for verl and for TRL")


if __name__ == "__main__":
    main()
