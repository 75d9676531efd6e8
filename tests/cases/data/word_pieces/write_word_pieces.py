"""Writes beside it vocab.txt, a small vocabulary of BERT's kind, and pieces.json, what transformers' BertTokenizer (5.17.0, tokenizers 0.23.3)
makes of texts with it under several rules.

    python write_word_pieces.py
"""

import json
import tempfile
from pathlib import Path

from transformers import BertTokenizer

FOLDER = Path(__file__).parent
VOCABULARY = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] 你 好 世 界 中 国 ##国 𠀀 , . ! ? - ' \" # ## ， 。 「 」 … — « + $ ~ 1 ##2 12 ##3 a b c ##a ##b ##c e ##e é "
    "##é E É i ##i I ##I hello Hello ##lo hel wor ##ld world un ##aff ##able naive naïve ca ##fe ##fé σ ##ς ##σ ς ß ss ø ñ n ##n の ー カ ##ー "
    "한 국 ##국 аб ##в й и β α ##α i̇ ﬁ x ##x y [unused1] ⹃ ๑ กา ##น ½ ² ² 〇"
).split()
TEXTS = [
    "", " ", "你好世界", "你好，世界。", "中国hello中国", "我你", "𠀀你", "hello world", "Hello WORLD", "helloworld", "unaffable", "naïve café CAFÉ", "É é e\u0301 E\u0301",
    "a\u0000b\ufffdc", "a\u200bb\u00adc\ufeff", "a\tb\nc\rd\u2028e\u3000é", "a\u0085b\u000bc\u000cd", "12 123 1,2", "a+b$c~d", "«你»…—", "don't - ##lo # ##",
    "[MASK] a [SEP] b [CLS][PAD]", "[mask] [ MASK ] [UNK]x", "[unused1]", "x" * 100, "x" * 101, "x" * 99 + "é", "e\u0301" * 60, "你" * 120, "の カー ー", "한국 국",
    "абв й", "ΣΑΣ ας", "İI ıi", "ß SS ẞ", "ﬁ x²½", "a\u2e43b \u2e42", "\U0002b830a \U0002b920b", "กาน ๑", "\ue000a\uf8ff", "日本", "〇一", "βα ἀ", "ñ n\u0303 ø",
    "hello  你  好 ", "ab c", "\u0301a", "x\U0001fae0y", "a\u0378b",
]
RULES = [
    {}, {"do_lower_case": False}, {"do_lower_case": True, "strip_accents": False}, {"do_lower_case": False, "strip_accents": True},
    {"tokenize_chinese_chars": False}, {"do_lower_case": False, "strip_accents": None, "tokenize_chinese_chars": True},
]


def main():
    vocabulary = list(dict.fromkeys(VOCABULARY))
    (FOLDER / "vocab.txt").write_text("".join(f"{token}\n" for token in vocabulary), encoding="utf-8")
    cases = []
    for rules in RULES:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "vocab.txt").write_bytes((FOLDER / "vocab.txt").read_bytes())
            (Path(folder) / "tokenizer_config.json").write_text(json.dumps(rules), encoding="utf-8")
            tokenizer = BertTokenizer.from_pretrained(folder)
            assert tokenizer.vocab_size == len(vocabulary)
            cases.append({"rules": rules, "texts": [{"text": text, "ids": tokenizer(text)["input_ids"]} for text in TEXTS]})
    (FOLDER / "pieces.json").write_text(json.dumps(cases, ensure_ascii=True, indent=0) + "\n", encoding="utf-8")


main()
