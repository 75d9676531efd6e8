"""Recall, precision and CER of one SeACo checkpoint with the true list of hotwords, an empty and wrong ones: see hotwords.sh."""
import argparse
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys

from trained import result_of

RUNS = pathlib.Path("build/hotwords")
OWN_SEED = 1986  # the recipes'
RECALL_GAIN, CER_COST = 10.0, 1.0  # points: at least, at most


def lists_of(data):
    """By name, the words of each list. Wrong are those of hotwords.txt read backwards, which nobody says."""
    true = (data / "hotwords.txt").read_text(encoding="utf-8").split()
    pairs = [row for row in csv.reader((data / "confusable_pairs.tsv").open(encoding="utf-8"), delimiter="\t")]
    return {"empty": [], "true": true, "wrong: backwards": [word[::-1] for word in true],
            "the words they are mistaken for": [other for _, other in pairs], "both of each pair": true + [b for _, b in pairs]}


def train(options, recipe, run, *arguments, base=None):
    source = pathlib.Path(f"configs/dsp20/{recipe}.yaml")
    overrides = [f"--data_folder={options.data.absolute()}", *arguments]
    if base:
        overrides.append(f"--init_param={base.absolute()}")
    if result_of(run, source, base) and json.loads((run / "plan.json").read_text())["overrides"] == overrides:
        return
    shutil.rmtree(run, ignore_errors=True)
    subprocess.run([options.earwright, "train", source, *overrides, "--devices", options.devices, "--run-dir", run],
                   check=True, stdout=sys.stderr)


def half_of(data):
    """A manifest of every other speaker's recordings."""
    rows = list(csv.DictReader((data / "train.csv").open(encoding="utf-8")))
    speakers = sorted({row["spk_id"] for row in rows})[::2]
    path = (RUNS / "half.csv").absolute()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(row for row in rows if row["spk_id"] in speakers)
    return path


def runs_of(options, seed):
    """The Paraformer learns half of the speakers, in as many steps; where it has learnt all a list has nothing to mend in the
    training, so that SeACo learns to repeat what it hears."""
    base, seaco = RUNS / f"paraformer-{seed}", RUNS / f"seaco-{seed}"
    train(options, "paraformer", base, f"--seed={seed}", f"--train_csv={half_of(options.data)}", "--number_of_epochs=120")
    train(options, "seaco_paraformer", seaco, f"--seed={seed}", base=base)
    return seaco


def heard(options, run, listened, counted):
    """Recall, precision of the phrases of `counted` and CER, in percent, while listening to those of `listened`."""
    files = {}
    for name, words in (("listened", listened), ("counted", counted)):
        files[name] = RUNS / f"{name}.txt"
        files[name].write_text("\n".join(words) + "\n", encoding="utf-8")
    command = [options.earwright, "transcribe", run, options.data / f"{options.split}.csv", "--data-folder", options.data,
               "--hotwords", files["listened"], "--count-hotwords", files["counted"], "--out", RUNS / "texts"]
    if options.weight is not None:
        command += ["--hotword-weight", str(options.weight)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rates = re.search(r"recall ([0-9.]+) %, precision ([0-9.]+) %", done.stderr)
    cer = re.search(r"by character: %WER ([0-9.]+)", done.stderr)
    return (float(rates[1]), float(rates[2]), float(cer[1])) if rates else (0.0, 0.0, float(cer[1]))


def report(options, seed):
    run = runs_of(options, seed)
    lists = lists_of(options.data)
    none = {name: heard(options, run, [], words or lists["true"]) for name, words in lists.items()}
    print(f"\nseed {seed}\n| list | recall without, with | precision without, with | CER without, with |\n|---|---|---|---|")
    gained, cost = 0.0, 0.0
    for name, words in lists.items():
        without, listening = none[name], heard(options, run, words, words or lists["true"])
        print("| " + " | ".join([name, *(f"{a:.1f}, {b:.1f} ({b - a:+.1f})" for a, b in zip(without, listening))]) + " |")
        if name == "true":
            gained = listening[0] - without[0]
        elif name.startswith("wrong"):
            cost = listening[2] - without[2]
    met = gained >= RECALL_GAIN and cost <= CER_COST
    print(f"recall of the true list {gained:+.1f} (target +{RECALL_GAIN:.0f}), CER of the wrong one {cost:+.2f} "
          f"(target at most +{CER_COST:.0f}): {'met' if met else 'MISSED'}", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earwright", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--devices", default="cpu:2")
    parser.add_argument("--split", default="test", help="dev, for choosing a weight")
    parser.add_argument("--weight", type=float, help="in place of the recipe's hotword_weight")
    parser.add_argument("seeds", nargs="*", type=int, metavar="SEED")
    options = parser.parse_args()
    RUNS.mkdir(parents=True, exist_ok=True)
    met = [report(options, seed) for seed in options.seeds or [OWN_SEED]]
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
