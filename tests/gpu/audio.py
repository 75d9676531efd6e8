"""The speech that the checks train on: a little of what the machine has.

`python3 audio.py FOLDER` makes the data sets there, for a bundle.
"""
import csv
import dataclasses
import os
import pathlib
import random
import shutil
import subprocess
import sys
import wave

from places import IS_GPU, EARWRIGHT, PEER_PYTHON, PEER_SITE, ROOT, WORK, environment
from process import Failed, Skipped, sh

SOURCES = {"words": ["gsc10", "fsdd"], "characters": ["aishell1s", "dsp20"]}  # below EARWRIGHT_DATA_DIR
ROWS = {"words": {"train": 320, "dev": 24, "test": 24}, "characters": {"train": 80, "dev": 8, "test": 8}}
if not IS_GPU:
    ROWS = {name: {"train": 64, "dev": 8, "test": 8} for name in ROWS}
HOTWORDS = "hotwords_all.txt"  # the file that the Paraformer recipes name
CANNOT = 77  # join_audio.py's exit code where it cannot decode the audio
LONG_SECONDS = 12 if IS_GPU else 4
CPU_SECONDS = 2


@dataclasses.dataclass(frozen=True)
class DataSet:
    folder: pathlib.Path
    rate: int  # Hz

    def overrides(self):
        return [f"--data_folder={self.folder}", f"--sample_rate={self.rate}"]


def rows_of(table):
    with open(table, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(table, rows):
    with open(table, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def rate_of(file):
    """Of a FLAC or WAV file, from its header."""
    head = file.read_bytes()[:64]
    if head[:4] == b"fLaC":
        return int.from_bytes(head[18:21], "big") >> 4
    with wave.open(str(file)) as audio:
        return audio.getframerate()


def prompts():
    """The demo's telephone prompts, prepared as packaging/run.sh does it."""
    folder = ROOT / "build/prompts"
    if (folder / "train.csv").exists():
        return folder
    folder = WORK / "prompts"
    if not (folder / "train.csv").exists():
        sounds = pathlib.Path(os.environ.get("EARWRIGHT_SOUNDS_DIR", ROOT / "build/sounds"))
        transcripts = sounds / "usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz"
        command = [str(EARWRIGHT), "prepare", "prompts", "--lang", "en", "--transcripts", str(transcripts), "--out", str(folder)]
        subprocess.run(command, capture_output=True, env=environment(command), timeout=300, check=False)
    return folder if (folder / "train.csv").exists() else None


def source_of(name):
    corpora = os.environ.get("EARWRIGHT_DATA_DIR")
    for corpus in SOURCES[name] if corpora else []:
        if (pathlib.Path(corpora) / corpus / "train.csv").exists():
            return pathlib.Path(corpora) / corpus
    found = prompts()
    if found is None:
        raise Skipped("no speech: neither EARWRIGHT_DATA_DIR nor the demo's prompts are there")
    return found


def write_hotwords(source, target):
    """The corpus's own list, else the first two words or characters of some texts."""
    if (source / HOTWORDS).exists():
        shutil.copy(source / HOTWORDS, target / HOTWORDS)
        return
    texts = [row["wrd"] for split in ("train", "dev", "test") for row in rows_of(target / f"{split}.csv")]
    phrases = {" ".join(text.split()[:2]) if " " in text else text[:2] for text in texts}
    (target / HOTWORDS).write_text("".join(phrase + "\n" for phrase in sorted(phrases)[:20]), encoding="utf-8")


def chosen(rows, split, count, letters):
    """The longest of the training, which fill a GPU; for a CPU those of about CPU_SECONDS. `letters`: dev and test have no others."""
    random.Random(1).shuffle(rows)
    if not IS_GPU:
        rows.sort(key=lambda row: abs(float(row["duration"]) - CPU_SECONDS))
    elif split == "train":
        rows.sort(key=lambda row: -float(row["duration"]))
    return [row for row in rows if split == "train" or not letters or set(row["wrd"]) <= letters][:count]


def copy_audio(rows, source, target):
    for row in rows:
        place = row["wav"].replace("$data_root/", "").replace(str(source) + "/", "")
        file = target / place.lstrip("/")  # manifests of prompts name them by absolute paths
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / place, file)
        row["wav"] = f"$data_root/{place.lstrip('/')}"


def make(name, target):
    source = source_of(name)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    letters = set()
    for split, count in ROWS[name].items():
        rows = chosen(rows_of(source / f"{split}.csv"), split, count, letters)
        copy_audio(rows, source, target)
        write_rows(target / f"{split}.csv", rows)
        if name == "words":  # whose recipes have no label for what the training lacks
            letters |= {letter for row in rows for letter in row["wrd"]}
    write_hotwords(source, target)
    (target / "ready").touch()


def data_set(name):
    """Of the bundle, else made once from the machine's own speech."""
    folder = ROOT / "data" / name
    if not (folder / "ready").exists():
        folder = WORK / "data" / name
    if not (folder / "ready").exists():
        make(name, folder)
    first = rows_of(folder / "train.csv")[0]["wav"].replace("$data_root", str(folder))
    return DataSet(folder, rate_of(pathlib.Path(first)))


def long_set(is_exact=False):
    """Utterances of LONG_SECONDS and more, made of short ones: what trainings on large corpora look like. `is_exact`: all alike."""
    words, folder = data_set("words"), WORK / ("long-exact" if is_exact else "long")
    if not (folder / "ready").exists():
        script = pathlib.Path(__file__).with_name("join_audio.py")
        command = [PEER_PYTHON or sys.executable, script, words.folder, folder, LONG_SECONDS, 1000 if IS_GPU else 60, *(["--exact"] if is_exact else [])]
        code, out, err = sh(command, 90, env={"PYTHONPATH": PEER_SITE}, name="long set", check=False)
        if code == CANNOT:
            raise Skipped("joining utterances: " + err.strip())
        if code != 0:
            raise Failed(f"joining utterances: {err or out}"[-300:])
    return DataSet(folder, words.rate)


if __name__ == "__main__":
    for set_name in ROWS:
        make(set_name, pathlib.Path(sys.argv[1]) / set_name)
