"""What goes wrong on a device: no memory left, a stopped run, a rank killed, two ranks on one GPU."""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import audio
from models import MODELS
from places import DEVICE, IS_GPU, EARWRIGHT, SLOWER, STEPS, WORK
from process import ended, log, need, sh, started
from runs import losses, resume, train, weights_hash, worst

OUT_OF_MEMORY = ["--batch_size=48" if IS_GPU else "--batch_size=12", *MODELS["conformer"].calm]


def held(limit_mb):
    """The same steps with less memory: on a GPU a part of the card for the allocator, on a CPU the recipe's limit."""
    recipe, data = MODELS["conformer"].recipe, audio.long_set()
    if IS_GPU:
        whole_mb = float(sh(["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"], 20)[1].splitlines()[0])
        return train(f"oom-{limit_mb}", recipe, data, OUT_OF_MEMORY, steps=4, timeout=120, check=False,
                     env={"PYTORCH_ALLOC_CONF": f"per_process_memory_fraction:{limit_mb / whole_mb:.6f}"})
    return train(f"oom-{limit_mb}", recipe, data, [*OUT_OF_MEMORY, f"--cpu_memory_limit_mb={limit_mb}"], steps=4, timeout=120, check=False)


def oom():
    """A batch that does not fit is computed in parts; the losses are those of the run that fits."""
    free = train("oom-free", MODELS["conformer"].recipe, audio.long_set(), OUT_OF_MEMORY, steps=4, timeout=120)
    limits = []
    for limit in (2000, 1000, 500) if IS_GPU else (400,):
        run = held(limit)
        splits = [event for event in run["events"] if event.get("kind") == "batch_split"]
        limits.append({"limit_mb": limit, "rc": run["rc"], "splits": [(split.get("parts"), split.get("cause", "")[:120]) for split in splits],
                       "off": worst(losses(run), losses(free)) if run["rc"] == 0 else None, "end": run["text"][-200:] if run["rc"] else ""})
        if splits and run["rc"] == 0:
            break
    need(any(limit["splits"] and limit["rc"] == 0 for limit in limits), f"no batch was split and survived: {limits}")
    need(all(limit["off"] is None or limit["off"] < 2e-3 for limit in limits), f"losses differ: {limits}")
    return {"limits": limits}


EXACT = ["--deterministic=True"]
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # three trainings at once


def stopped_and_resumed(name, steps):
    """Stops a run after a third of its steps and goes on with it."""
    model, run = MODELS[name], WORK / f"resume-{name}-c"
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        training = pool.submit(train, run.name, model.recipe, model.data(), EXACT, steps=steps, env=ONE_THREAD, check=False, timeout=120)
        end = time.time() + 100 * SLOWER
        while time.time() < end and not training.done():
            time.sleep(0.2)
            _, out, _ = sh([EARWRIGHT, "runs", run], 30, name="poll", check=False, quiet=True)
            if sum(line.startswith("train/loss,") for line in out.splitlines()) >= steps // 3:
                sh([EARWRIGHT, "stop", run], 60, check=False)
                break
        stopped = training.result()
    need(stopped["rc"] in (0, 3, 130), f"rc={stopped['rc']} of the run to stop: {stopped['text'][-200:]}")
    at = len(losses(stopped))
    need(at < steps, "it was done before it could be stopped")
    return at, resume(run.name, env=ONE_THREAD, timeout=120)


def resumed(name):
    """A run, the same again, and one stopped in the middle and resumed: the same weights to the bit, with the recipe's dropout."""
    def run():
        model, steps = MODELS[name], 120 if IS_GPU else 24
        data = model.data()
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            third = pool.submit(stopped_and_resumed, name, steps)
            one, two = pool.map(lambda i: train(f"resume-{name}-{i}", model.recipe, data, EXACT, steps=steps, env=ONE_THREAD, timeout=120), "ab")
            at, again = third.result()
        hashes = [weights_hash(result["run"]) for result in (one, two, again)]
        # How far both are off tells noise from a state that was not saved.
        found = {"stopped_at": at, "repeats": hashes[0] == hashes[1], "resumed_same": hashes[0] == hashes[2],
                 "noise": worst(losses(two), losses(one)), "off": worst(losses(again)[-3:], losses(one)[-3:]),
                 "first_difference": next((i + 1 for i, (a, b) in enumerate(zip(losses(one), losses(two))) if a != b), None)}
        need(found["repeats"] and found["resumed_same"], str(found))
        return found
    return run


def ranks_by_hand(name, devices, timeout):
    """`earwright plan` on the CPU, its devices changed, `earwright rank` started for each as torchrun would. (exit codes, outputs)"""
    run, model = WORK / name, MODELS["conformer"]
    shutil.rmtree(run, ignore_errors=True)
    sh([EARWRIGHT, "plan", model.recipe, *model.data().overrides(), "--devices", f"cpu:{len(devices)}", f"--optimizer_step_limit={STEPS}",
        "--run-dir", run, *model.calm], 60)
    plan = json.loads((run / "plan.json").read_text())
    plan["devices"] = devices
    (run / "plan.json").write_text(json.dumps(plan))
    port, count = 20000 + os.getpid() % 20000, len(devices)
    ranks = [started([EARWRIGHT, "rank", run], stderr=subprocess.STDOUT,
                     env={"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count),
                          "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}) for rank in range(count)]
    end = time.time() + timeout * SLOWER
    ends = [ended(rank, max(1, end - time.time())) for rank in ranks]
    log(f"\n=== {name} {[one[0] for one in ends]}\n" + "\n---\n".join(one[1][-2500:] for one in ends))
    return [one[0] for one in ends], [one[1] for one in ends]


def two_on_one():
    """NCCL refuses two ranks on one GPU: that has to end soon, and in words."""
    begin = time.time()
    codes, outs = ranks_by_hand("two-nccl", [DEVICE, DEVICE], 90)
    found = {"codes": codes, "seconds": round(time.time() - begin, 1), "words": [out.strip().splitlines()[-1][:200] if out.strip() else "" for out in outs]}
    need(found["seconds"] < 60 and all(codes), f"two ranks on one GPU over NCCL: {found}")
    need(any("uplicate GPU" in out or "NCCL" in out for out in outs), f"not in words: {found}")
    return found


def ranks_of(run):
    """Process ids of `earwright rank RUN`."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and f"rank\0{run}" in (folder / "cmdline").read_text(errors="replace"):
                found.append(int(folder.name))
        except OSError:  # it has ended
            pass
    return found


def killed():
    """A rank killed in its training is named within seconds."""
    run, model = WORK / "fault", MODELS["conformer"]
    shutil.rmtree(run, ignore_errors=True)
    training = started([EARWRIGHT, "train", model.recipe, *model.data().overrides(), "--devices", DEVICE, "--run-dir", run], stderr=subprocess.STDOUT)
    end = time.time() + 60 * SLOWER
    while time.time() < end and training.poll() is None and not (ranks_of(run) and "train/loss," in sh([EARWRIGHT, "runs", run], 30, check=False, quiet=True)[1]):
        time.sleep(0.5)
    ranks = ranks_of(run)
    if ranks:
        os.kill(ranks[0], signal.SIGKILL)
    begin = time.time()
    code, out, _ = ended(training, 30 * SLOWER)
    need(ranks, f"no rank was found: {out[-300:]}")
    need(code != 124, "earwright train did not end within 30 s of its rank")
    words = [line for line in out.splitlines() if "SIGKILL" in line]
    need(code != 0 and words, f"rc={code}: {out[-300:]}")
    return {"seconds": round(time.time() - begin, 1), "words": words[0][:200]}
