"""Checks and trains upstream's recipes as they stand: see upstream_recipes.sh. Ends with 77, which ctest counts as skipped, where speech is
missing."""
import argparse
import concurrent.futures
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECTED = pathlib.Path(__file__).with_name("expected")
CHECK_SECONDS, TRAIN_SECONDS = 120, 300
MATTERS_NOT = "1"  # of a placeholder in a recipe that is refused whatever it says

# The corpus of a recipe by the beginning of its path; what makes no difference to others is `manifests`.
CORPORA = [("LibriSpeech/", "librispeech"), ("AISHELL-1/", "aishell1"), ("CommonVoice/", "common_voice"), ("TIMIT/", "timit"),
           ("Voicebank/", "voicebank"), ("Tedlium2/", "tedlium2"), ("Libriheavy/", "libriheavy"),
           ("MEDIA/", "media"), ("", "manifests")]
# Where upstream's script makes manifests that Earwright does not, they are laid where the recipe has them, all three beside train_csv: of
# a data set of Hugging Face the recipe names no others.
LAID = {"train_csv": "train", "valid_csv": "dev", "test_csv": "test", "csv_train": "train", "csv_valid": "dev", "csv_test": "test"}
LAID_CORPORA = ("manifests", "media")
# What names a model of the Hub that stands for all pretrained encoders, and the tokenizer of BERT, with as many outputs as the recipe has.
ENCODER_KEYS, BERT_KEY, BERT_PIECES = ("wav2vec2_hub", "wav2vec_url"), "tokenizer.pretrained_model_name_or_path", 21128
# A CPU trains 4 steps of some hundred million weights in seconds where a batch is short.
SHORT = {"max_batch_length": "3", "max_batch_length_train": "3", "max_batch_length_val": "3", "max_batch_len": "3", "batch_size": "2",
         "num_workers": "0"}
NARROW = {"test_beam_size": "2", "valid_beam_size": "2"}


def speech_folder():
    given = os.environ.get("EARWRIGHT_DATA_DIR")
    folders = [pathlib.Path(given) / "so762"] if given else []
    return next((one for one in [*folders, ROOT / "build" / "prompts"] if (one / "train.csv").exists()), None)


class Recipe:
    def __init__(self, folder, path):
        self.path, self.name = path, str(path.relative_to(folder))
        self.text = path.read_text(encoding="utf-8")
        self.corpus = next(corpus for prefix, corpus in CORPORA if self.name.startswith(prefix))

    def value(self, key):
        found = re.search(rf"^{key}:[ ]*(.*?)[ ]*(?:#.*)?$", self.text, re.MULTILINE)
        return found.group(1) if found else None

    def placeholders(self):
        return re.findall(r"^(\w+):\s*!PLACEHOLDER", self.text, re.MULTILINE)

    def has(self, key):
        return self.value(key) is not None


class Filler:
    """What stands in a recipe's placeholders."""

    def __init__(self, work, speech):
        from corpora import bert_tokenizer, corpus, tokenizer
        from encoder import encoder
        from whisper import whisper
        self.work, self.lock = work, threading.Lock()
        self.corpora = {name: corpus(name, work, speech) for name in {corpus for _, corpus in CORPORA}}
        self.encoder = encoder(work / "encoder")
        self.whisper = whisper(work / "whisper")
        self.bert = bert_tokenizer(work / "bert", BERT_PIECES)
        self.tokenizer = lambda pieces: tokenizer(pieces, work, speech)

    def pretrained(self, recipe):
        """A folder with tokenizer.ckpt and, where the recipe has a language model, its random lm.ckpt."""
        pieces = int(recipe.value("output_neurons") or 1000)
        shape = language_model(recipe)
        folder = self.work / "pretrained" / f"{pieces}-{hash_of(shape)}"
        with self.lock:
            if not (folder / "tokenizer.ckpt").exists():
                folder.mkdir(parents=True, exist_ok=True)
                if shape:
                    save_language_model(shape, folder / "lm.ckpt")
                shutil.copy(self.tokenizer(pieces), folder / "tokenizer.ckpt")
        return folder

    def own(self, recipe):
        """A folder with what SpeechBrain's own pretrained encoder is loaded from."""
        from own_encoder import own_encoder
        folder = self.work / "own" / pathlib.PurePath(recipe.name).stem
        with self.lock:
            if not folder.exists():
                own_encoder(recipe.text, {key: MATTERS_NOT for key in recipe.placeholders()}, folder)
        return folder

    def value(self, key, recipe):
        corpus = self.corpora[recipe.corpus]
        if key == "data_folder":
            return corpus / "audio" if recipe.corpus == "libriheavy" else corpus
        if key == "manifest_folder":
            return corpus
        if key == "pt_model_path" or (key in ENCODER_KEYS and "latent_encoder.ckpt" in recipe.text):
            return self.own(recipe)
        if key in ENCODER_KEYS:
            return self.encoder
        if key == "whisper_hub":
            return self.whisper
        if key in ("pretrained_lm_tokenizer_path", "pretrained_tokenizer_path"):
            return self.pretrained(recipe)
        if key in ("pretrained_tokenizer_file", "tokenizer_file"):
            return self.pretrained(recipe) / "tokenizer.ckpt"
        if key in LAID:
            return self.corpora["manifests"] / f"{LAID[key]}.csv"
        return self.work / "empty" if key.endswith(("_folder", "_dir")) else MATTERS_NOT

    def arguments(self, recipe):
        keys = recipe.placeholders()
        keys += [key for key in ("pretrained_lm_tokenizer_path", "tokenizer_file")
                 if (recipe.value(key) or "").startswith("speechbrain/")]
        keys += [key for key in (*ENCODER_KEYS, "whisper_hub") if recipe.has(key)]
        named = [f"--{BERT_KEY}={self.bert}"] if "BertTokenizer" in recipe.text else []
        return [f"--{key}={self.value(key, recipe)}" for key in keys] + named


def hash_of(shape):
    import hashlib
    return hashlib.sha256(json.dumps(shape, sort_keys=True, default=str).encode()).hexdigest()[:8] if shape else "none"


def language_model(recipe):
    """The text of `lm_model` with its references resolved; "" where there is none, or none that is loaded."""
    if "lm.ckpt" not in recipe.text or not recipe.has("lm_model"):
        return ""
    from hyperpyyaml import resolve_references
    import ruamel.yaml
    filled = {key: MATTERS_NOT for key in recipe.placeholders()}
    yaml = ruamel.yaml.YAML()
    tree = yaml.load(resolve_references(recipe.text, filled))
    text = io.StringIO()
    yaml.dump({"lm_model": tree["lm_model"]}, text)
    return text.getvalue()


def save_language_model(text, path):
    import torch
    from hyperpyyaml import load_hyperpyyaml
    torch.manual_seed(1)
    torch.save(load_hyperpyyaml(text)["lm_model"].state_dict(), path)


class Trial:
    def __init__(self, options, filler):
        self.earwright, self.steps, self.filler = pathlib.Path(options.earwright).resolve(), options.steps, filler
        self.words, self.is_check = options.words, options.check

    def run(self, words, folder, seconds):
        try:
            done = subprocess.run([self.earwright, *words], cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
            return done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired as late:
            return -1, f"error: not done after {late.timeout} s"

    def lay(self, recipe, arguments, folder):
        """Upstream's script would make these manifests."""
        code, text = self.run(["resolve", recipe.path, "--format", "json", *arguments], folder, CHECK_SECONDS)
        if code != 0:
            return
        resolved = json.loads(text[text.index("{"):text.rindex("}") + 1])
        for key, split in LAID.items():
            paths = resolved.get(key) or []
            for path in paths if isinstance(paths, list) else [paths]:
                self.copy(recipe.corpus, split, folder / str(path))
        for split in set(LAID.values()):
            self.copy(recipe.corpus, split, (folder / str(resolved.get("train_csv", "train.csv"))).with_name(f"{split}.csv"))

    def copy(self, corpus, split, path):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.filler.corpora[corpus] / f"{split}.csv", path)

    def __call__(self, recipe):
        """(whether it trains, what is told of it)"""
        folder = self.filler.work / "runs" / recipe.name.replace("/", "+").removesuffix(".yaml")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # What no task trains needs no language model to be refused.
        anything = [f"--{key}={MATTERS_NOT}" for key in recipe.placeholders()]
        code, text = self.run(["check", recipe.path, "--no-files", "--devices", "cpu", *anything, *self.words], folder, CHECK_SECONDS)
        if "[class-not-supported]" in text:
            return False, "refused because " + "; ".join(reasons(text))
        arguments = self.filler.arguments(recipe)
        # Precision is the machine's: a CPU has no fp16.
        fp32 = [word for key in ("precision", "eval_precision") if recipe.value(key) == "fp16" for word in (f"--{key}", "fp32")]
        words = [*arguments, *self.words, "--devices", "cpu", *fp32]
        told = ["fp32"] if "--precision" in words else []
        if recipe.corpus in LAID_CORPORA:
            self.lay(recipe, arguments, folder)
        code, text = self.run(["check", recipe.path, *words], folder, CHECK_SECONDS)
        if code == 0 and not self.is_check:
            short = {key: value for key, value in {**SHORT, **NARROW}.items() if recipe.has(key)}
            told += [f"{key} {value}" for key, value in short.items() if key != "num_workers"]
            with tempfile.TemporaryDirectory(dir=folder) as run:  # weights of gigabytes, which are not kept
                code, text = self.run(["train", recipe.path, *words, *(f"--{key}={value}" for key, value in short.items()),
                                       f"--optimizer_step_limit={self.steps}", "--run-dir", f"{run}/run"], folder, TRAIN_SECONDS)
            (folder / "train.log").write_text(text, encoding="utf-8")
        else:
            (folder / "check.log").write_text(text, encoding="utf-8")
        if code == 0:
            return True, ("passes the check" if self.is_check else "trains as it stands") + (f" ({', '.join(told)})" if told else "")
        return False, "refused because " + "; ".join(reasons(text))


def reasons(text):
    errors = [line.split("error: ", 1)[1] for line in text.splitlines() if "error: " in line]
    return errors or text.strip().splitlines()[-1:] or ["it says nothing"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--earwright", required=True)
    parser.add_argument("--only", default="", help="a part of the recipes' paths")
    parser.add_argument("--with", dest="words", action="append", default=[], help="a word for every check and training")
    parser.add_argument("--check", action="store_true", help="train nothing: minutes of large models")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "upstream")
    options = parser.parse_args()
    source = speech_folder()
    if not source:
        print("SKIP: no speech: set EARWRIGHT_DATA_DIR, or make build/prompts by `earwright prepare prompts`", file=sys.stderr)
        sys.exit(77)
    folder = options.folder.resolve()
    recipes = [Recipe(folder, path) for path in sorted(folder.rglob("*.yaml")) if "ASR" in path.relative_to(folder).parts]
    recipes = [recipe for recipe in recipes if options.only in recipe.name]
    from corpora import Speech
    (options.work / "empty").mkdir(parents=True, exist_ok=True)
    trial = Trial(options, Filler(options.work.resolve(), Speech(source)))
    begin, trained, table = time.monotonic(), [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for recipe, (trains, told) in zip(recipes, pool.map(trial, recipes), strict=True):
            trained += [recipe.name] if trains else []
            table.append(f"| {recipe.name} | {told} |")
            print(f"{recipe.name}: {told}", flush=True)
    (options.work / "table.md").write_text("| recipe | result |\n|---|---|\n" + "\n".join(table) + "\n", encoding="utf-8")
    expected = [name for name in EXPECTED.read_text(encoding="utf-8").split() if options.only in name]
    print(f"{time.monotonic() - begin:.0f} s")
    for name in sorted(set(expected) - set(trained)):
        print(f"does not train any more: {name}", file=sys.stderr)
    for name in sorted(set(trained) - set(expected)):
        print(f"trains now, and is not in {EXPECTED.relative_to(ROOT)}: {name}", file=sys.stderr)
    print(f"{len(trained)} of {len(recipes)}")
    sys.exit(0 if sorted(trained) == sorted(expected) else 1)


if __name__ == "__main__":
    main()
