"""Writes beside it pieces.json, what the sentencepiece package makes of text.txt, called as SpeechBrain 1.1.2 calls it, and
bytes.model, whose letters are a and b, with a piece for each byte.

    pip install sentencepiece==0.1.97; python write_pieces.py
"""

import io
import json
import tempfile
from pathlib import Path

import sentencepiece

FOLDER = Path(__file__).parent
DEFAULTS = {
    "bos_id": -1,
    "eos_id": -1,
    "pad_id": -1,
    "unk_id": 0,
    "max_sentencepiece_length": 10,
    "character_coverage": 1.0,
    "add_dummy_prefix": True,
}
CASES = {
    "bpe": {"model_type": "bpe", "vocab_size": 60},
    "unigram": {"model_type": "unigram", "vocab_size": 60},
    "char": {"model_type": "char"},
    "indices": {"model_type": "bpe", "vocab_size": 50, "pad_id": 0, "unk_id": 3, "bos_id": 1, "eos_id": 2},
    "symbols": {"model_type": "unigram", "vocab_size": 64, "user_defined_symbols": "river,in the"},
    "across_words": {"model_type": "bpe", "vocab_size": 90, "split_by_whitespace": False, "add_dummy_prefix": False},
    "short_pieces": {"model_type": "bpe", "vocab_size": 45, "max_sentencepiece_length": 2},
}
TEXTS = ["the river follows the road", "a quiet  answer ", "isn't it", "ｔｈｅ ﬁrst", "zebra", ""]


def outcome(settings):
    with tempfile.TemporaryDirectory() as folder:
        arguments = {**DEFAULTS, **settings, "input": FOLDER / "text.txt", "model_prefix": f"{folder}/m"}
        arguments = {name: str(value) for name, value in arguments.items()}
        sentencepiece.SentencePieceTrainer.train(**arguments)
        model = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/m.model")
    ids = [model.encode_as_ids(text) for text in TEXTS]
    return {
        "settings": settings,
        "pieces": [model.id_to_piece(i) for i in range(model.vocab_size())],
        "encoded": [{"text": t, "ids": i, "decoded": model.decode_ids(i)} for t, i in zip(TEXTS, ids)],
    }


cases = {name: outcome(settings) for name, settings in CASES.items()}
(FOLDER / "pieces.json").write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

model = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(["a b", "b a"]),
    model_writer=model,
    model_type="char",
    byte_fallback=True,
    normalization_rule_name="identity",
    **{name: DEFAULTS[name] for name in ("bos_id", "eos_id", "pad_id", "unk_id", "character_coverage")},
)
(FOLDER / "bytes.model").write_bytes(model.getvalue())
