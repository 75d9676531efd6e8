"""The WER of a set of texts is jiwer's, where both cut words at white space and change nothing else.

python3 jiwer_agrees.py TEXT_RATES [SEED]

Texts are drawn of words in several scripts and of all that Python takes for white space, doubled, leading and trailing; some are
empty. Ends with 77, which ctest counts as skipped, where jiwer cannot be imported.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "engine"))
import peer

SETS = 300
WORDS = ["a", "b", "word", "WORD", "don't", "é", "e\u0301", "слово", "שלום", "कि", "ไทย", "한국", "今", "🙂", "\u200b", "\ufeff", "_", "<unk>"]
BLANKS = [chr(code) for code in range(0x10000) if chr(code).isspace()]


def text(rng):
    words = rng.choices(WORDS, k=rng.choice([0, 1, 2, 3, 5, 12]))
    blank = lambda least: "".join(rng.choices([" "] * len(BLANKS) + BLANKS, k=rng.randint(least, 2)))
    return blank(0) + "".join(word + blank(1) for word in words) + (rng.choice(WORDS) if rng.random() < 0.5 else "")


def heard(rng, reference):
    """Most of the words of a reference, or other ones."""
    if rng.random() < 0.2:
        return text(rng)
    words = [word if rng.random() < 0.7 else rng.choice(WORDS) for word in reference.split() if rng.random() < 0.9]
    return "".join(rng.choice(BLANKS) + word for word in words)


def main():
    peer.import_or_skip(["jiwer"], "packaging/test.sh --with-upstream")
    import jiwer

    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    sets = []
    for _ in range(SETS):
        references = [text(rng) for _ in range(rng.randint(1, 8))]
        sets.append([[reference, heard(rng, reference)] for reference in references])
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(sets, file)
        file.flush()
        lines = subprocess.run([sys.argv[1], file.name], check=True, capture_output=True, text=True).stdout.splitlines()

    class Split(jiwer.AbstractTransform):
        def process_string(self, s):
            return [s.split()]

        def process_list(self, inp):
            return [s.split() for s in inp]

    compared = 0
    for pairs, line in zip(sets, lines, strict=True):
        edits, words, percent = (float(number) for number in line.split())
        if not any(reference.split() for reference, _ in pairs):
            continue  # of no word jiwer has no rate
        found = jiwer.process_words([reference for reference, _ in pairs], [hypothesis for _, hypothesis in pairs],
                                    reference_transform=Split(), hypothesis_transform=Split())
        theirs = found.substitutions + found.deletions + found.insertions
        if (theirs, found.hits + found.substitutions + found.deletions) != (edits, words) or abs(100 * found.wer - percent) > 1e-3:
            print(f"FAIL: {pairs}: {line}, jiwer {theirs} {100 * found.wer}")
            return 1
        compared += 1
    print(f"{compared} sets have jiwer's rate")
    return 0 if compared > SETS // 2 else 1


if __name__ == "__main__":
    sys.exit(main())
