"""The losses of the same steps in an upstream and in Earwright: see differential.sh. Ends with 77, which ctest counts as skipped, where
SpeechBrain, FunASR or speech is missing."""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
import against_speechbrain as bench  # noqa: E402

PEER = ROOT / "build" / "peer"
RESULTS = ROOT / "build" / "differential"
WIDTH, HEIGHT, LEFT, TOP = 720, 300, 60, 40  # of a plot, in pixels
# How much further than its own rounding a loss may be: the two draw it once each.
ROUNDINGS = 4
LEAST = 1e-5  # relative; a few roundings of float32 in one loss, for the steps where upstream's rounding cancels


def default_data():
    corpora = [pathlib.Path(os.environ["EARWRIGHT_DATA_DIR"])] if os.environ.get("EARWRIGHT_DATA_DIR") else []
    return next((data for data in [*(corpus / "gsc10" for corpus in corpora), ROOT / "build" / "prompts"] if (data / "train.csv").exists()), None)


def skip(why):
    print(f"SKIP: {why}", file=sys.stderr)
    sys.exit(77)


def upstream_of(recipe):
    return "FunASR" if recipe in bench.FUNASR else "SpeechBrain"


def losses_of(options, recipe):
    """Of the upstream, of the upstream from weights whose last bit is changed, and of Earwright."""
    peer, calm = bench.Peer(options), list(bench.CALM[recipe])
    if recipe in bench.FUNASR:
        calm.append(f"--cmvn_file={options.work / 'am.mvn'}")
    weights = options.work / f"{recipe}.safetensors"
    peer.train(recipe, 1, "fp32", calm, export=str(weights))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:  # a training computes with one thread
        trainings = [pool.submit(peer.train, recipe, 1, "fp32", calm),
                     pool.submit(peer.train, recipe, 1, "fp32", calm, nudge=True),
                     pool.submit(bench.Earwright(options).train, recipe, 1, "fp32", [*calm, f"--init_param={weights}"])]
        return [training.result()[1] for training in trainings]


def furthest(one, other):
    return max(abs(a - b) / abs(a) for a, b in zip(one, other, strict=True))


def line_of(values, lowest, highest, style):
    points = " ".join(f"{LEFT + WIDTH * i / max(1, len(values) - 1):.1f},{TOP + HEIGHT * (highest - v) / (highest - lowest or 1):.1f}"
                      for i, v in enumerate(values))
    return f'<polyline points="{points}" fill="none" stroke-linejoin="round" {style}/>'


def picture(recipe, theirs, ours, verdict):
    """An SVG: the upstream's losses as a broad line, Earwright's as a thin one upon it."""
    lowest, highest = min(theirs + ours), max(theirs + ours)
    texts = [(LEFT, 20, f"{recipe}: loss of {len(ours)} steps, {upstream_of(recipe)} (broad) and Earwright (thin)"),
             (LEFT, TOP + HEIGHT + 40, verdict), (LEFT, TOP + HEIGHT + 20, "step 1"),
             (LEFT + WIDTH - 50, TOP + HEIGHT + 20, f"step {len(ours)}"), (5, TOP + 10, f"{highest:.3f}"),
             (5, TOP + HEIGHT, f"{lowest:.3f}")]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + 2 * LEFT}" height="{HEIGHT + TOP + 60}" '
        'font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>',
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#bbb"/>',
        line_of(theirs, lowest, highest, 'stroke="#f4a259" stroke-width="6"'),
        line_of(ours, lowest, highest, 'stroke="#1d5b99" stroke-width="1.5"'),
        *(f'<text x="{x}" y="{y}">{text}</text>' for x, y, text in texts), "</svg>"]) + "\n"


def compare(options, recipe):
    """Whether the losses are equal but for rounding."""
    theirs, nudged, ours = losses_of(options, recipe)
    rounding, difference = furthest(theirs, nudged), furthest(theirs, ours)
    allowed = max(LEAST, ROUNDINGS * rounding)
    verdict = (f"largest difference {difference:.1e} of the loss; {upstream_of(recipe)} from itself {rounding:.1e} "
               f"with the last bit of its initial weights changed; allowed {allowed:.1e}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (RESULTS / f"{recipe}.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("step", "upstream", "upstream_nudged", "earwright"),
                                    *zip(range(1, len(ours) + 1), theirs, nudged, ours)])
    (RESULTS / f"{recipe}.svg").write_text(picture(recipe, theirs, ours, verdict), encoding="utf-8")
    print(f"{recipe}: {len(ours)} steps, loss {theirs[0]:.4f} to {theirs[-1]:.4f} and {ours[0]:.4f} to {ours[-1]:.4f}; {verdict}",
          flush=True)
    return difference <= allowed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earwright", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, default=default_data())
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("recipes", nargs="*", metavar="RECIPE", default=list(bench.CALM))
    options = parser.parse_args()
    for upstream, ready in (("SpeechBrain", "ready"), ("FunASR", "funasr-ready")):
        if upstream in map(upstream_of, options.recipes) and not (PEER / ready).exists():
            skip(f"no {upstream} in build/peer; tests/differential.sh installs it")
    if options.data is None:
        skip("no speech: set EARWRIGHT_DATA_DIR, or make build/prompts by packaging/run.sh")
    options.earwright, options.data = options.earwright.absolute(), options.data.absolute()
    options.peer, options.device = PEER / "bin", "cpu"
    with tempfile.TemporaryDirectory() as work:
        options.work = pathlib.Path(work)
        equal = [compare(options, recipe) for recipe in options.recipes]
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()
