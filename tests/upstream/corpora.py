"""Tiny corpora in the layouts which upstream's recipes expect, of the shortest utterances of some speech, and tokenizers: the tests'
recipes.py asks for one by name. Speech is a folder with train.csv (columns ID, wav, spk_id, wrd, duration)."""
import csv
import gzip
import itertools
import json
import os
import pathlib
import random
import shutil
import string

import sentencepiece
import soundfile
import torchaudio

RATE = 16000
LEAST_SECONDS = 1.1  # upstream's preparation of TED-LIUM leaves shorter ones out
TRAIN, HELD_OUT = 24, 1  # utterances
# Texts of no language besides, over the same sounds: as many as 5120 pieces can be cut from.
INVENTED, INVENTED_WORDS, INVENTED_LETTERS = 2500, 3, 5
SPLIT_NUMBERS = {part: at for at, part in enumerate(("train-clean-100", "train-clean-360", "train-other-500", "dev-clean", "test-clean",
                                                      "test-other", "dev-other"))}
# Signs for phones: what they sound like does not matter to a training of four steps.
PHONES = dict(zip("abcdefghijklmnopqrstuvwxyz", "ae b k d eh f g hh ih jh k l m n ow p k r s t uh v w k y z".split(), strict=True))


class Speech:
    """Utterances at 16 kHz, shortest first: (speaker, text, samples) by split."""

    def __init__(self, folder):
        rows = list(csv.DictReader((folder / "train.csv").open(encoding="utf-8")))
        rows = [row for row in rows if float(row["duration"]) >= LEAST_SECONDS and len(self.text_of(row)) > 3]
        rows.sort(key=lambda row: float(row["duration"]))
        self.folder, self.splits = folder, {}
        for split, count in (("train", TRAIN), ("dev", HELD_OUT), ("test", HELD_OUT)):
            self.splits[split] = [self.read(row) for row in rows[:count]]
            rows = rows[count:]

    @staticmethod
    def text_of(row):
        return " ".join("".join(sign if sign.isalpha() or sign == "'" else " " for sign in row["wrd"]).split())

    def read(self, row):
        import torch
        samples, rate = soundfile.read(row["wav"].replace("$data_root", str(self.folder)), dtype="float32")
        if rate != RATE:
            samples = torchaudio.functional.resample(torch.from_numpy(samples), rate, RATE).numpy()
        return row["spk_id"], self.text_of(row), samples

    def all(self):
        """(split, number within it, speaker, text, samples)"""
        return [(split, number, *one) for split, ones in self.splits.items() for number, one in enumerate(ones)]


def invented():
    draw = random.Random(1)
    word = lambda: "".join(draw.choice(string.ascii_lowercase) for _ in range(INVENTED_LETTERS))  # noqa: E731
    return [" ".join(word() for _ in range(INVENTED_WORDS)) for _ in range(INVENTED)]


def two_words(text):
    """Preparations leave out texts of one word."""
    return text if " " in text else text + " " + text


def letters_only(text):
    """train_en_with_wav2vec.yaml has outputs for 26 letters, the blank between words and <unk>. SentencePiece's `char` makes a piece of every
    sign, so an apostrophe would be a 29th, which upstream reads beyond the outputs."""
    return " ".join(text.replace("'", " ").split())


def write(path, samples, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, RATE, **options)


def write_text(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def noises(root):
    """What upstream's scripts download and unpack there."""
    draw = random.Random(2)
    for number in range(2):
        write(root / "noise" / f"noise{number}.wav", [draw.uniform(-0.1, 0.1) for _ in range(2 * RATE)])


def librispeech(root, speech):
    # A recipe may train on the first part alone, whose letters must spell what is held out: what that sounds like does not matter.
    _, first, _ = speech.splits["train"][0]
    for split, number, _, text, samples in speech.all():
        text = text if split == "train" else first
        parts = {"train": ["train-clean-100", "train-clean-360", "train-other-500"], "dev": ["dev-clean", "dev-other"],
                 "test": ["test-clean", "test-other"]}[split]
        # A third of the training texts each; what is held out in both of its parts.
        for part in parts if split != "train" else parts[number % len(parts)::len(parts)]:
            chapter = f"{100 + number}-{1 + SPLIT_NUMBERS[part]}"
            write(root / part / chapter.replace("-", "/") / f"{chapter}-0000.flac", samples)
            write_text(root / part / chapter.replace("-", "/") / f"{chapter}.trans.txt", f"{chapter}-0000 {text.upper()}\n")


def aishell1(root, speech):
    lines = []
    for split, number, _, text, samples in speech.all():
        name = f"BAC009S{100 + number:04}W{number:04}{split}"
        write(root / "data_aishell" / "wav" / split / f"S{100 + number:04}" / f"{name}.wav", samples)
        lines.append(f"{name} {text}\n")
    write_text(root / "data_aishell" / "transcript" / "aishell_transcript_v0.8.txt", "".join(lines))
    noises(root)


def common_voice(root, speech):
    heading = "client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\tsegment\n"
    rows = {split: [heading] for split in speech.splits}
    for split, number, speaker, text, samples in speech.all():
        name = f"common_voice_en_{split}{number}.mp3"
        write(root / "clips" / name, samples, format="MP3")
        rows[split].append(f"{speaker}\t{name}\t{letters_only(text).capitalize()}.\t2\t0\t\t\t\ten\t\n")
    for number, text in enumerate(invented()):
        name = f"common_voice_en_invented{number}.mp3"
        os.link(root / "clips" / f"common_voice_en_train{number % TRAIN}.mp3", root / "clips" / name)
        rows["train"].append(f"invented\t{name}\t{text.capitalize()}.\t2\t0\t\t\t\ten\t\n")
    for split, lines in rows.items():
        write_text(root / f"{split}.tsv", "".join(lines))


def timit(root, speech):
    for split, number, _, text, samples in speech.all():
        speaker = {"train": f"fabc{number}", "dev": "fadg0", "test": "fdhc0"}[split]
        base = root / ("train" if split == "train" else "test") / "dr1" / speaker / f"sx{number}"
        phones = ["h#", *(PHONES[sign] for sign in text.lower() if sign in PHONES), "h#"]
        write(base.with_suffix(".wav"), samples)
        write_text(base.with_suffix(".phn"), "".join(f"{at * 100} {at * 100 + 100} {phone}\n" for at, phone in enumerate(phones)))
        write_text(base.with_suffix(".wrd"), "".join(f"{at} {at + 1} {word}\n" for at, word in enumerate(text.lower().split())))
    noises(root)


def voicebank(root, speech):
    words = set()
    for split, number, _, text, samples in speech.all():
        speaker = {"train": "p228", "dev": "p226", "test": "p232"}[split]
        part, name = "testset" if split == "test" else "trainset_28spk", f"{speaker}_{number:03}"
        for quality in ("clean", "noisy"):
            write(root / f"{quality}_{part}_wav_16k" / f"{name}.wav", samples)
        write_text(root / f"{part}_txt" / f"{name}.txt", text.capitalize() + ".\n")
        words.update(text.upper().split())
    # As many as the corpus has: the recipe has an output for each, and the blank behind them.
    phones = itertools.cycle("A" + chr(ord("A") + at) if at < 26 else "B" + chr(ord("A") + at - 26) for at in range(41))
    spelt = {word: " ".join(next(phones) for _ in word) for word in sorted(words)}
    write_text(root / "lexicon.txt", "".join(f"{word}  {phones}\n" for word, phones in spelt.items()))


def tedlium2(root, speech):
    for split, number, speaker, text, samples in speech.all():
        talk = f"Talk{split}{number}_2009"
        write(root / split / "sph" / f"{talk}.sph", samples, format="NIST", subtype="PCM_16")
        write_text(root / split / "stm" / f"{talk}.stm",
                   f"{talk} 1 {talk} 0.00 {len(samples) / RATE:.2f} <o,f0,female> {two_words(text.lower())}\n")


def libriheavy(root, speech):
    lists = {}
    for split, number, speaker, text, samples in speech.all():
        for part in {"train": ["large"], "dev": ["dev"], "test": ["test_clean", "test_other"]}[split]:
            recording = f"large/{100 + number}/{part}/{number}"
            write(root / "audio" / f"{recording}.flac", samples)
            lists.setdefault(part, []).append({
                "id": f"{recording}_0", "start": 0.0, "duration": len(samples) / RATE, "recording": {"id": recording},
                "supervisions": [{"speaker": speaker, "custom": {"texts": [text.capitalize() + ".", text.upper()]}}]})
    for part, cuts in lists.items():
        with gzip.open(root / f"libriheavy_cuts_{part}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(cut) + "\n" for cut in cuts)


def manifests(root, speech):
    """SpeechBrain's CSVs, as the preparation of a recipe leaves them."""
    rows = {split: ["ID,duration,wav,spk_id,wrd\n"] for split in speech.splits}
    for split, number, speaker, text, samples in speech.all():
        path = root / "audio" / f"{split}{number}.wav"
        write(path, samples)
        rows[split].append(f"{split}{number},{len(samples) / RATE},{path.resolve()},{speaker},{text.upper()}\n")
    rows["train"] += [f"invented{number},{rows['train'][1 + number % TRAIN].split(',', 1)[1].rsplit(',', 1)[0]},{text.upper()}\n"
                      for number, text in enumerate(invented())]
    for split, lines in rows.items():
        write_text(root / f"{split}.csv", "".join(lines))


def media(root, speech):
    """The CSVs of upstream's media_prepare.py: parts of recordings, and letters with blanks between."""
    columns = "ID,duration,start,stop,wav,wav_format,spk_id,spk_id_format,wrd,wrd_format,char,char_format\n"
    rows = {split: [columns] for split in speech.splits}
    for split, number, speaker, text, samples in speech.all():
        path = root / "wav" / f"{split}{number}.wav"
        write(path, samples)
        seconds = f"{len(samples) / RATE:.3f}"
        spelt = " ".join(text.lower().replace(" ", "_"))
        rows[split].append(f"{split}{number},{float(seconds):.2f},0.000,{seconds},{path.resolve()},wav,{speaker},string,"
                           f"{text.lower()},string,{spelt},string\n")
    for split, lines in rows.items():
        write_text(root / f"{split}.csv", "".join(lines))


LAYOUTS = {layout.__name__: layout for layout in
           (librispeech, aishell1, common_voice, timit, voicebank, tedlium2, libriheavy, media, manifests)}


def corpus(name, work, speech):
    """The folder, made once."""
    root = work / "corpora" / name
    if not root.exists():
        making = root.with_name(f"{name}.part")
        shutil.rmtree(making, ignore_errors=True)
        # these write the paths of their audio down
        writes_paths = name in ("manifests", "media")
        LAYOUTS[name](root if writes_paths else making, speech)
        if not writes_paths:
            making.rename(root)
    return root


def bert_tokenizer(folder, pieces):
    """A folder with vocab.txt: as many pieces, of letters and ideographs."""
    folder.mkdir(parents=True, exist_ok=True)
    letters = string.ascii_letters + string.digits + string.punctuation
    spelt = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    spelt += [chr(0x4E00 + at) for at in range(pieces - len(spelt))]
    write_text(folder / "vocab.txt", "".join(f"{piece}\n" for piece in spelt))
    write_text(folder / "tokenizer_config.json", json.dumps({"do_lower_case": False}))
    return folder


def tokenizer(pieces, work, speech):
    """A SentencePiece model with as many pieces as the texts give, at most `pieces`; <bos> and <eos> are 1 and 2."""
    path = work / "tokenizers" / f"{pieces}.model"
    if not path.exists():
        texts = path.with_suffix(".txt")
        spoken = [*(text for _, _, _, text, _ in speech.all()), " ".join(string.ascii_lowercase) + " '"]
        write_text(texts, "".join(f"{text.upper()}\n{text.lower()}\n" for text in spoken))
        sentencepiece.SentencePieceTrainer.train(input=str(texts), model_prefix=str(path.with_suffix("")), vocab_size=pieces,
                                                 model_type="unigram", character_coverage=1, unk_id=0, bos_id=1, eos_id=2, minloglevel=2,
                                                 hard_vocab_limit=False)
    return pathlib.Path(path)
