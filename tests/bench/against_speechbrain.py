"""Rows of Earwright against SpeechBrain: see against_speechbrain.sh. Prints per row the steps per second of both, ending in `ratio=R`
(Earwright / SpeechBrain, medians over the repeats), the losses of both after the same steps from the same weights, and peak memory.

Speed is measured on the recipe as it stands, equality with every dropout at 0 and a learning rate of 1e-4: at the recipe's 1e-3 the
CRDNN is chaotic, SpeechBrain on two threads is up to 10 % off SpeechBrain on one within 55 steps. `batch_size` is a rank's in SpeechBrain and the whole
batch's in Earwright, so two ranks get half of it there.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BATCH_SIZE = 8
SKIP = 5
# What takes chance out of each recipe, and lowers its rate where that is chaotic.
CALM = {
    "ctc_crdnn": ["--lr=0.0001", "--enc={dropout: 0.0}"],
    "ctc_conformer": ["--lr=0.0001", "--CNN={dropout: 0.0}", "--Transformer={dropout: 0.0}"],
    "ctc_attention": ["--CNN={dropout: 0.0}", "--Transformer={dropout: 0.0}"],
    "paraformer": ["--lr=0.0001", "--dropout=0.0"],
}
FUNASR = {"paraformer"}  # what its classes train; the rest are SpeechBrain's


def run(command, environment=None):
    """Output and peak memory (MiB, of its largest process) of a command; its errors where it failed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([str(c) for c in command], stdout=out, stderr=err, env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0), err.seek(0)
        if status != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{out.read().decode()}\n{err.read().decode()}")
        return out.read().decode(), usage.ru_maxrss / 1024


class Peer:
    def __init__(self, options):
        self.options = options

    def train(self, recipe, ranks, precision, overrides=(), export="", nudge=False):
        o = self.options
        program = [o.peer / "python"] if ranks == 1 else [
            o.peer / "python", "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
        backend = [] if ranks == 1 else ["--distributed_backend=" + ("nccl" if o.device == "cuda" else "gloo")]
        script = "peer_funasr.py" if recipe in FUNASR else "peer_speechbrain.py"
        command = program + [HERE / script, HERE / "recipes" / f"{recipe}.yaml", f"--data_folder={o.data}",
                             f"--batch_size={BATCH_SIZE // ranks}", f"--precision={precision}",
                             f"--output_folder={o.work}/peer", *backend, *overrides]
        out, memory = run(command, {"DEVICE": o.device, "THREADS": "1", "STEPS": str(o.steps), "SKIP": str(SKIP), "EXPORT": export,
                                    "NUDGE": "1" if nudge else ""})
        if export:
            return None
        report = json.loads(out.splitlines()[-1])
        return report["it_per_s"], report["losses"], memory


class Earwright:
    def __init__(self, options):
        self.options = options

    def train(self, recipe, ranks, precision, overrides=()):
        o = self.options
        folder = o.work / "run"
        shutil.rmtree(folder, ignore_errors=True)
        devices = f"cpu:{ranks}" if o.device == "cpu" else ",".join(f"cuda:{i}" for i in range(ranks))
        _, memory = run([o.earwright, "train", HERE / "recipes" / f"{recipe}.yaml", f"--data_folder={o.data}", "--devices", devices,
                         "--precision", precision, f"--batch_size={BATCH_SIZE}", "--threads_per_rank=1",
                         f"--optimizer_step_limit={o.steps}", "--replica_check_interval=0", "--run-dir", folder, *overrides])
        out, _ = run([o.earwright, "runs", folder])
        points = list(csv.DictReader(io.StringIO(out)))
        seconds = [1 / float(p["value"]) for p in points if p["tag"] == "train/it_per_s" and int(p["step"]) > SKIP]
        return len(seconds) / sum(seconds), [float(p["value"]) for p in points if p["tag"] == "train/loss"], memory


def measure(options, peer, earwright, recipe, ranks, precision):
    theirs, ours = [], []
    for _ in range(options.repeats):
        theirs.append(peer.train(recipe, ranks, precision))
        ours.append(earwright.train(recipe, ranks, precision))
    weights = options.work / f"{recipe}.safetensors"
    if not weights.exists():
        peer.train(recipe, 1, "fp32", CALM[recipe], export=str(weights))
    _, their_losses, _ = peer.train(recipe, ranks, precision, CALM[recipe])
    _, our_losses, _ = earwright.train(recipe, ranks, precision, [*CALM[recipe], f"--init_param={weights}"])
    difference = max(abs(a - b) / abs(a) for a, b in zip(their_losses, our_losses))
    speed = [statistics.median(side[0] for side in runs) for runs in (theirs, ours)]
    memory = [statistics.median(side[2] for side in runs) for runs in (theirs, ours)]
    print(f"{recipe:14s} {ranks} rank(s) {precision:5s} loss@{len(our_losses)} SpeechBrain {their_losses[-1]:.4f} Earwright {our_losses[-1]:.4f} "
          f"largest difference {100 * difference:.2f} %  peak MiB {memory[0]:.0f} / {memory[1]:.0f}  "
          f"it/s {speed[0]:.3f} / {speed[1]:.3f}  ratio={speed[1] / speed[0]:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earwright", type=pathlib.Path, required=True)
    parser.add_argument("--peer", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--steps", type=int, default=55)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", default="", help="only rows holding this text, such as crdnn or bf16")
    options = parser.parse_args()
    options.earwright, options.peer, options.data = (p.absolute() for p in (options.earwright, options.peer, options.data))
    precisions = ["fp32", "bf16"] if options.device == "cpu" else ["fp32", "fp16", "bf16"]
    rows = [(recipe, ranks, precision) for recipe, ranks in (("ctc_crdnn", 1), ("ctc_conformer", 1), ("ctc_conformer", 2))
            for precision in precisions]
    if options.device == "cuda":
        rows = [row for row in rows if row[1] == 1]
    with tempfile.TemporaryDirectory() as work:
        options.work = pathlib.Path(work)
        for row in rows:
            if options.rows in f"{row[0]} {row[1]} {row[2]}":
                measure(options, Peer(options), Earwright(options), *row)


if __name__ == "__main__":
    main()
