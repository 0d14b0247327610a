"""Rewards of topotrace: `reward` for TRL's GRPO, `compute_score` for verl."""
import functools, json, os, shlex, threading
from subprocess import PIPE, Popen

COMMAND = os.environ.get("TOPOTRACE", "target/release/xtask score --stream data/smoke")
REWARD = "penalised"  # or "exact", or "formatted"
LOCK = threading.Lock()

@functools.cache
def judge(process_id):  # one for each process: a fork must not share its parent's pipes
    return Popen(shlex.split(COMMAND), stdin=PIPE, stdout=PIPE, encoding="utf-8")

def rewards(id, response):
    with LOCK:
        try:
            process = judge(os.getpid())
            print(json.dumps({"id": id, "response": response}), file=process.stdin, flush=True)
            answer = json.loads(process.stdout.readline())
        except BaseException as error:  # an answer left behind would be taken for the next one
            judge.cache_clear()
            raise RuntimeError(f"no answer from {COMMAND}") from error
    if answer["error"]: raise ValueError(answer["error"])
    return {"score": answer["rewards"][REWARD], **answer["rewards"]}

def reward(prompts, completions, **columns):
    texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
    return [rewards(id, text)["score"] for id, text in zip(columns["id"], texts)]

def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    return rewards(extra_info["id"], solution_str)
