"""Plays episodes of topotrace: `python examples/episodes/drive.py pipe 3` plays seed 3 of `pipe`."""
import json, os, random, shlex, sys
from base64 import b64decode
from subprocess import PIPE, Popen

COMMAND = os.environ.get("TOPOTRACE_EPISODES", "target/release/xtask episode --stdio")

class Episodes:
    def __init__(self):
        self.process = Popen(shlex.split(COMMAND), stdin=PIPE, stdout=PIPE, encoding="utf-8")

    def ask(self, do, **keys):
        print(json.dumps({"do": do, **keys}), file=self.process.stdin, flush=True)
        reply = json.loads(self.process.stdout.readline())
        if not reply.pop("ok"): raise ValueError(reply["error"])
        return reply

def agent(prompt, pictures, legal):  # your model takes its place: it sees the prompt and the pictures
    return json.dumps({"answer": random.choice(legal)})

def play(episodes, task, seed, tier="easy", agent=agent):
    episode = episodes.ask("reset", task=task, seed=seed, tier=tier)["episode"]
    while True:
        seen = episodes.ask("observe", episode=episode, size=512)
        pictures = [b64decode(picture["png"]) for picture in seen["pictures"]]  # PNG files
        legal = episodes.ask("legal", episode=episode)["actions"]
        step = episodes.ask("step", episode=episode, response=agent(seen["prompt"], pictures, legal))
        print(step["action"], step["reason"], step["status"], step["steps_left"], "left")
        if step["terminated"] or step["truncated"]:
            episodes.ask("close", episode=episode)
            return step["reward"]

if __name__ == "__main__":
    print("reward", play(Episodes(), sys.argv[1], int(sys.argv[2])))
