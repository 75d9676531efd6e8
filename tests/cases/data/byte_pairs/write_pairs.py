"""Writes beside it tokenizer.json, a small one of Whisper's kind, pairs.json, what transformers (5.17.0) makes of texts with it, and
normalized.json, what its normalisers make of texts. With the folder of whisper-tiny.en as an argument also whisper_tiny_en.json, what
its tokenizer makes of texts and what SpeechBrain (1.1.2) suppresses.

    python write_pairs.py [FOLDER]
"""

import json
import random
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from speechbrain.integrations.huggingface.whisper import Whisper
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import WhisperTokenizer
from transformers.models.whisper.english_normalizer import BasicTextNormalizer, EnglishTextNormalizer
from transformers.models.whisper.tokenization_whisper import LANGUAGES

FOLDER = Path(__file__).parent
SPELLINGS = {"colour": "color", "centre": "center", "organise": "organize"}
TEXTS = [
    "", " ", "  ", "the river", " the river", "The reader's road isn't long", "we've  gone, they'll see; I'd say 'tis", "A'S B'T", "''s '",
    "12 345 6½ Ⅷ x²", "tabs\tand\nlines \n\n end", " \n", "no-break\u00a0space and\u2003em\u0085next\u001cfile", "naïve café 你好，世界 こんにちは",
    "éé e\u0301", "😀👩\u200d👩 🎵♪♫", "a" * 70, "word" * 30, "<|endoftext|>", "a<|en|> b <|notimestamps|>", "<|de|><|", "< |en|>", "<|1.08|>hm<|2.|>",
    "don't ca n't 'S", "…—“quoted”", "€20 £3.50 $7", "١٢٣ عربي", "กำลัง हिन्दी", "\u00ad\ufeff\ufffd",
]
WORDS = (
    "one two three nine ten eleven nineteen twenty thirty ninety hundred thousand million decillion oh o zero first second third twelfth ones "
    "sixes twenties thirtieth hundreds thousandth minus plus negative dollars pounds euro cents percent per cent and double triple point a half "
    "the colour 1 12 3.5 0.5 3.00 007 $5 £2.5 -3 +4 20% 1,000 2nd 1960s mr st dr. won't it's i'd been n't hmm uh-huh [noise] (laughs) <x> é "
    "naïve ß Ø $0.07 ¢5 1.2.3 5th x1 1y ٣ ٣.٥ organise ma'am y'all's 'twas o'clock U.S.A. e.g. ... end. ² ½ 'n' İ ΣΑΣ œuvre Centre"
).split()
NORMALIZED = [
    "", "  ", " a ", "Mr. Smith won't pay two hundred and fifty dollars", "it's twenty twenty two", "one oh one", "nineteen eighty four",
    "two and a half million", "and a half", "the twenty first of may", "one hundred twenty-three thousand four hundred and fifty six", "three point one four",
    "minus five percent", "five per cent of it", "per person", "double oh seven", "triple five", "double trouble", "$2 and ¢7", "€20 and ¢70", "twenty cents",
    "one million pounds", "ten to the third", "a [noise] b (laughs) c <x> d", "He said: “don't!” … OK?", "colour centre organise", "1,234,567.89", "U.S.A.",
    "hmm uh I mean, um, yes", "rock 'n' roll", "I'ma gonna wanna", "she'd been; he's gone", "naïve Ærø Straße þing", "e\u0301 \u00e9", "你好，世界！", "हिन्दी में", "٣ ٣.٥",
    "1.5 hundred", "1.2345 hundred", "zero hundred", "five thousand six", "six sixes", "o'clock", "123456789012345678901234567890 thousand",
]


def train():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=500, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    texts = (FOLDER.parent / "sentence_piece" / "text.txt").read_text(encoding="utf-8").splitlines()
    tokenizer.train_from_iterator(texts + ["don't can't isn't", "你好世界"], trainer)
    names = ["endoftext", "startoftranscript", *LANGUAGES, "translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"]
    tokenizer.add_special_tokens([f"<|{name}|>" for name in names])
    tokenizer.add_tokens([f"<|{i * 0.02:.2f}|>" for i in range(3)])
    tokenizer.save(str(FOLDER / "tokenizer.json"), pretty=False)


def read(folder):
    with tempfile.TemporaryDirectory() as copy:
        (Path(copy) / "tokenizer.json").write_text((Path(folder) / "tokenizer.json").read_text(encoding="utf-8"), encoding="utf-8")
        return WhisperTokenizer.from_pretrained(copy, bos_token="<|startoftranscript|>")


def encoded(tokenizer):
    return [{"text": text, "ids": tokenizer.encode(text, add_special_tokens=False)} for text in TEXTS]


def decoded(tokenizer, draw):
    drawn = [[draw.choice([draw.randrange(256), draw.randrange(len(tokenizer) + 9)]) for _ in range(draw.randint(1, 12))] for _ in range(200)]
    previous = tokenizer.convert_tokens_to_ids("<|startofprev|>")
    drawn = [[i for i in ids if i != previous] for ids in drawn]
    return [{"ids": ids, "text": tokenizer.decode(ids), "spoken": tokenizer.decode(ids, skip_special_tokens=True)} for ids in drawn]


def normalized(draw):
    english = EnglishTextNormalizer(SPELLINGS)
    basic = [BasicTextNormalizer(), BasicTextNormalizer(remove_diacritics=True), BasicTextNormalizer(split_letters=True)]
    texts = NORMALIZED + [" ".join(draw.choice(WORDS) for _ in range(draw.randint(2, 8))) for _ in range(200)]
    return [{"text": text, "english": english(text), "basic": [one(text) for one in basic]} for text in texts]


def non_speech(tokenizer):
    """As Whisper.non_speech_tokens of speechbrain.integrations.huggingface.whisper, which needs a model."""
    wrapper = SimpleNamespace(tokenizer=tokenizer)
    return list(Whisper.non_speech_tokens.func(wrapper))


def write(name, value):
    (FOLDER / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main():
    draw = random.Random(1)
    train()
    tokenizer = read(FOLDER)
    write("pairs.json", {"encoded": encoded(tokenizer), "decoded": decoded(tokenizer, draw)})
    write("normalized.json", {"spellings": SPELLINGS, "texts": normalized(draw)})
    if len(sys.argv) > 1:
        tokenizer = read(sys.argv[1])
        write("whisper_tiny_en.json", {"encoded": encoded(tokenizer), "non_speech": non_speech(tokenizer)})


main()
