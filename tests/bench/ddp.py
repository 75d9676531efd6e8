"""Scaling of two CPU ranks and what logging costs: see ddp.sh. One thread a rank, the whole batch is the same on one rank and on two.

Rows, with their targets: steps per second of two ranks over SpeechBrain's two under torchrun (2), utterances per second of two
ranks over our own one (1.7), share of a step that writing its events takes the training thread (at most 0.1 %). And, without a
target, the time of a step that rank 0 waits in the all-reduce of the gradients once its own backward is done.
"""
import argparse
import csv
import io
import pathlib
import statistics
import tempfile

from against_speechbrain import SKIP, Earwright, Peer, run

RECIPE = "ctc_conformer"


def train_points(options):
    """The curves of the last run's training steps."""
    points = csv.DictReader(io.StringIO(run([options.earwright, "runs", options.work / "run"])[0]))
    return [p for p in points if p["tag"].startswith("train/")]


def wait_ms(options):
    """Milliseconds a step of the last run that rank 0 waited in the all-reduce."""
    points = train_points(options)
    curve = {tag: {int(p["step"]): float(p["value"]) for p in points if p["tag"] == tag}
             for tag in ("train/it_per_s", "train/reduce_wait")}
    steps = [step for step in curve["train/it_per_s"] if step > SKIP]
    return statistics.mean(1000 * curve["train/reduce_wait"][step] / curve["train/it_per_s"][step] for step in steps)


def event_share(options, step_seconds):
    """Nanoseconds per event (event_bench), times events per step (the log of the last run), over the time of a step."""
    out, _ = run([options.earwright.parent / "event_bench"])
    nanoseconds = float(out.split()[1])
    train = train_points(options)
    per_step = len(train) / len({p["step"] for p in train})
    return nanoseconds, per_step, nanoseconds * 1e-9 * per_step / step_seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earwright", type=pathlib.Path, required=True)
    parser.add_argument("--peer", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=55)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    options.device = "cpu"
    options.earwright, options.peer, options.data = (p.absolute() for p in (options.earwright, options.peer, options.data))
    with tempfile.TemporaryDirectory() as work:
        options.work = pathlib.Path(work)
        peer, earwright = Peer(options), Earwright(options)
        theirs, one, two, waits = [], [], [], {1: [], 2: []}
        for _ in range(options.repeats):
            theirs.append(peer.train(RECIPE, 2, "fp32")[0])
            for ranks, speeds in ((1, one), (2, two)):
                speeds.append(earwright.train(RECIPE, ranks, "fp32")[0])
                waits[ranks].append(wait_ms(options))
        theirs, one, two = map(statistics.median, (theirs, one, two))
        print(f"two ranks: it/s SpeechBrain {theirs:.3f} Earwright {two:.3f} ({two / theirs:.2f} times; target 2)  ratio={two / theirs / 2:.2f}")
        print(f"scaling: it/s on one rank {one:.3f}, on two {two:.3f} ({two / one:.2f} times; target 1.7)  ratio={two / one / 1.7:.2f}")
        alone, together = (statistics.median(waits[ranks]) for ranks in (1, 2))
        print(f"waiting in the all-reduce: on one rank {alone:.2f} ms a step, on two {together:.2f} ms ({100 * together * two / 1000:.1f} % of it)")
        nanoseconds, per_step, share = event_share(options, 1 / two)
        print(f"events: {nanoseconds:.0f} ns each, {per_step:.1f} a step, {100 * share:.4f} % of a step (target 0.1 %)  "
              f"ratio={0.001 / share:.2f}")


if __name__ == "__main__":
    main()
