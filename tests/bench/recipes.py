"""What the shipped recipes reach on real speech and how long they take: see recipes.sh."""
import argparse
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

import trained

REACHED = ("<!-- recipes.sh: begin -->", "<!-- recipes.sh: end -->")
GAINED = ("<!-- recipes.sh --gains: begin -->", "<!-- recipes.sh --gains: end -->")
TABLE = pathlib.Path("configs/README.md")
RUNS = pathlib.Path("build/recipes")
REACHED_HEAD = ["recipe", "training", "test", "WER %", "CER %", "hotword recall, precision %", "steps", "minutes"]
GAINED_HEAD = ["recipe", "WER / CER %", "by a beam search", "with a 3-gram of the training texts", "trained without augmentation"]

# Recipe -> folder of its data; the demo's is not in EARWRIGHT_DATA_DIR.
RECIPES = {
    "demo/ctc_prompts_en": "build/prompts",
    "fsdd/ctc_conv": "fsdd",
    "fsdd/ctc_conv_by_speaker": "fsdd",
    "speech_commands/ctc_conv": "gsc10",
    "speech_commands/ctc_attention": "gsc10",
    "so762/ctc_conv": "so762",
    "yesno/ctc_conv": "yesno",
    "dsp20/ctc_conv": "dsp20",
    "dsp20/paraformer": "dsp20",
    "dsp20/seaco_paraformer": "dsp20",
    "aishell1s/ctc_conv": "aishell1s",
    "aishell1s/paraformer": "aishell1s",
    "aishell1s/seaco_paraformer": "aishell1s",
}
MANIFESTS = {"fsdd/ctc_conv_by_speaker": "by_speaker"}  # below the folder of its data
STARTS_FROM = {"dsp20/seaco_paraformer": "dsp20/paraformer", "aishell1s/seaco_paraformer": "aishell1s/paraformer"}
# Whose gains are of interest.
BY_CTC = ("fsdd/ctc_conv", "fsdd/ctc_conv_by_speaker", "speech_commands/ctc_conv", "so762/ctc_conv", "yesno/ctc_conv",
          "dsp20/ctc_conv", "aishell1s/ctc_conv")
HOTWORDS = {"dsp20/paraformer": "hotwords.txt"}  # counted, beside those that a recipe has itself


def run_of(recipe):
    return RUNS / recipe.replace("/", "-")


def plain_of(recipe):
    """Its training without augmentation."""
    return RUNS / (recipe.replace("/", "-") + "-plain")


def result_of(run, recipe):
    """None where it is to be trained."""
    base = run_of(STARTS_FROM[recipe]) if recipe in STARTS_FROM else None
    return trained.result_of(run, source_of(recipe), base) if (run / "minutes").exists() else None


def source_of(recipe):
    return pathlib.Path("configs") / f"{recipe}.yaml"


def train(options, recipe, data, run, *overrides):
    command = [options.earwright, "train", source_of(recipe), f"--data_folder={data}", "--devices", "cpu:2",
               "--run-dir", run, *overrides]
    if recipe in STARTS_FROM:
        command.append(f"--init_param={run_of(STARTS_FROM[recipe]).absolute()}")
    if recipe in HOTWORDS:
        command.append(f"--hotword={data / HOTWORDS[recipe]}")
    shutil.rmtree(run, ignore_errors=True)  # one that did not end
    begun = time.monotonic()
    subprocess.run(command, check=True)
    (run / "minutes").write_text(f"{(time.monotonic() - begun) / 60:.1f}")


def count(manifest):
    return sum(1 for _ in csv.DictReader(manifest.open(encoding="utf-8")))


def error_rates(result, manifest):
    """WER and CER; no WER of texts of a single word each, Mandarin without blanks."""
    texts = [row["wrd"] for row in csv.DictReader(manifest.open(encoding="utf-8"))]
    return [f"{result['test_wer']:.1f}" if any(" " in text for text in texts) else "", f"{result['test_cer']:.1f}"]


def hotwords_of(recipe):
    path = run_of(recipe) / "alignments" / "test-hotwords.tsv"
    if not path.exists():
        return ""
    rows = list(csv.DictReader(path.open(encoding="utf-8"), delimiter="\t"))
    spoken, heard, right = (sum(int(row[column]) for row in rows) for column in ("spoken", "heard", "right"))
    return f"{100 * right / max(spoken, 1):.1f}, {100 * right / max(heard, 1):.1f}"


def row_of(recipe, data):
    result = result_of(run_of(recipe), recipe)
    manifests = data / MANIFESTS.get(recipe, "")
    return [f"[{recipe}.yaml]({recipe}.yaml)", f"{count(manifests / 'train.csv')} utterances",
            f"{count(manifests / 'test.csv')} utterances", *error_rates(result, manifests / "test.csv"), hotwords_of(recipe), str(result["step"]), (run_of(recipe) / "minutes").read_text()]


def line_of(cells):
    return "| " + " | ".join(cells) + " |"


def write_row(marks, head, recipe, cells):
    """Puts a recipe's row into the table between the marks, whose other rows stay where they have its columns."""
    begin, end = marks
    text = TABLE.read_text(encoding="utf-8")
    old = text.split(begin)[1].split(end)[0].splitlines()
    rows = {match.group(1): line for line in old if (match := re.match(r"\| \[(.*)\.yaml\]\(", line))
            and line.count("|") == len(head) + 1}
    rows[recipe] = line_of(cells)
    lines = [line_of(head), "|" + "---|" * len(head), *(rows[name] for name in RECIPES if name in rows)]
    table = "\n".join([begin, *lines, end])
    TABLE.write_text(re.sub(f"{begin}.*{end}", lambda _: table, text, flags=re.S), encoding="utf-8")


def heard(options, run, data, test, *arguments):
    """WER and CER of a run on the test, "WER / CER"; of texts of ideographs the CER."""
    done = subprocess.run([options.earwright, "transcribe", run, test, "--data-folder", data, "--format", "json", *arguments],
                          check=True, stdout=subprocess.PIPE)
    scores = json.loads(done.stdout)["scores"]
    return " / ".join(f"{scores[rate]['percent']:.1f}" for rate in ("WER", "CER") if rate in scores)


def gains_of(options, recipe, data):
    """As its test, by a beam search without and with an n-gram of the training texts, and as the test of a training without
    augmentation."""
    manifests = data / MANIFESTS.get(recipe, "")
    test, model = manifests / "test.csv", RUNS / (recipe.replace("/", "-") + ".arpa")
    subprocess.run([options.earwright, "lm", manifests / "train.csv", "--out", model], check=True)
    run = run_of(recipe)
    row = [f"[{recipe}.yaml]({recipe}.yaml)", heard(options, run, data, test),
           heard(options, run, data, test, "--beam-size", "100"), heard(options, run, data, test, "--lm", model)]
    plain = plain_of(recipe)
    if result_of(plain, recipe) is None:
        keys = [key for key in ("wav_augment", "fea_augment") if f"\n{key}:" in source_of(recipe).read_text(encoding="utf-8")]
        train(options, recipe, data, plain, *(f"--{key}=null" for key in keys))
    return [*row, heard(options, plain, data, test)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earwright", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--gains", action="store_true")
    parser.add_argument("--fresh", action="store_true", help="train anew what has been trained")
    parser.add_argument("recipes", nargs="*", metavar="RECIPE")
    options = parser.parse_args()
    unknown = set(options.recipes) - set(RECIPES)
    if unknown:
        sys.exit(f"no such recipe: {', '.join(sorted(unknown))}; there are {', '.join(RECIPES)}")
    for recipe in options.recipes or RECIPES:
        data = pathlib.Path(RECIPES[recipe])
        data = (data if data.parts[0] == "build" else options.data / data).absolute()
        if not data.is_dir():
            print(f"{recipe}: '{data}' is not there" + ("; packaging/run.sh makes it" if "build" in data.parts else ""),
                  file=sys.stderr)
            continue
        if options.fresh:
            shutil.rmtree(run_of(recipe), ignore_errors=True)
            shutil.rmtree(plain_of(recipe), ignore_errors=True)
        if result_of(run_of(recipe), recipe) is None:
            train(options, recipe, data, run_of(recipe))
        write_row(REACHED, REACHED_HEAD, recipe, row_of(recipe, data))
        if options.gains and recipe in BY_CTC:
            write_row(GAINED, GAINED_HEAD, recipe, gains_of(options, recipe, data))


if __name__ == "__main__":
    main()
