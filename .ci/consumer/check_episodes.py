"""Runs the example that drives episodes for real, on every planning task.

    python check_episodes.py BINARY

BINARY is the built `xtask`. Ends with a non-zero status at the first mismatch.
"""

import argparse
import importlib
import io
import os
import pathlib
import shlex
import sys

import PIL.Image

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "episodes" / "drive.py"
PICTURES = {"swap": 2}


class Mismatch(Exception):
    """An episode is not as the protocol says."""


def demand(condition, message):
    if not condition:
        raise Mismatch(message)


def load_example(binary):
    os.environ["TOPOTRACE_EPISODES"] = shlex.join([str(binary), "episode", "--stdio"])
    sys.path.insert(0, str(EXAMPLE.parent))
    return importlib.import_module("drive")


def check_pictures(task, pictures):
    demand(len(pictures) == PICTURES.get(task, 1), f"{task} shows {len(pictures)} pictures")
    for png in pictures:
        picture = PIL.Image.open(io.BytesIO(png))
        demand(picture.mode == "RGB" and max(picture.size) == 512, f"{task}: {picture.mode} {picture.size}")


def check_oracle(episodes, task, seed):
    opened = episodes.ask("reset", task=task, seed=seed)
    episode, steps = opened["episode"], 0
    while (action := episodes.ask("advise", episode=episode)["action"]) is not None:
        step, steps = episodes.ask("act", episode=episode, action=action), steps + 1
    demand(step["reward"] == 1 and step["terminated"], f"{task} {seed}: the oracle ends with {step}")
    demand(steps == opened["reference_length"], f"{task} {seed}: {steps} steps, {opened}")


def check_example(drive, episodes, task):
    def agent(prompt, pictures, legal):
        check_pictures(task, pictures)
        demand(legal and "answer" in prompt, f"{task}: {prompt}")
        return drive.agent(prompt, pictures, legal)

    reward = drive.play(episodes, task, seed=1, agent=agent)
    demand(reward in (0, 1), f"{task}: reward {reward}")
    silent = drive.play(episodes, task, seed=1, agent=lambda *seen: "I can't tell.")
    demand(silent == 0, f"{task}: silence is rewarded with {silent}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    drive = load_example(parser.parse_args().binary.resolve())
    episodes = drive.Episodes()
    tasks = episodes.ask("tasks")["tasks"]
    demand(set(PICTURES) < set(tasks), f"planning tasks: {tasks}")
    for task in tasks:
        for seed in range(3):
            check_oracle(episodes, task, seed)
        check_example(drive, episodes, task)
    print(f"episodes of {', '.join(tasks)}: driven as the README shows")


if __name__ == "__main__":
    main()
