#!/usr/bin/env python3
"""Writes the cases of tst_matched_pairs from sclite and sc_stats of NIST's SCTK (github.com/usnistgov/SCTK, 9688a268).

usage: record.py SCTK, its source folder, built

A case has sclite's alignments, one utterance a line, and sc_stats' figures of them. '=' is right, S,
D and I are sclite's own; an empty alignment is '-'. `nist` is a test of SCTK itself, whose figures
are NIST's too; the others are drawn.
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
WORDS = "a the of to in cat dog house light kitchen turn on off red blue seven eight nine".split()
# utterances, seed, share of words that both get wrong, that each gets wrong, that the second does more
DRAWN = {"like": (60, 1, 0.06, 0.05, 0.0), "worse": (150, 2, 0.05, 0.05, 0.03),
         "many": (400, 3, 0.10, 0.08, 0.02), "poor": (80, 4, 0.25, 0.2, 0.1)}


def heard(words, hard, share, random_):
    """The words with errors, of which insertions and deletions are a fifth each."""
    out = []
    for word, is_hard in zip(words, hard):
        if not is_hard and random_.random() >= share:
            out.append(word)
            continue
        kind = random_.random()
        if kind < 0.6:
            out.append(random_.choice([other for other in WORDS if other != word]))
        elif kind < 0.8:
            out += [random_.choice(WORDS), word]
    return out


def aligned(sctk, folder, name, references, texts):
    """sclite's SGML of one recogniser."""
    for file, rows in (("ref.trn", references), (name + ".trn", texts)):
        lines = [" ".join(words) + f" (s-{i:04d})" for i, words in enumerate(rows)]
        (folder / file).write_text("\n".join(lines) + "\n")
    subprocess.run([sctk / "src/sclite/sclite", "-r", "ref.trn", "trn", "-h", name + ".trn", "trn",
                    name, "-i", "rm", "-o", "sgml"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return (folder / (name + ".trn.sgml")).read_text()


def drawn(sctk, folder, count, seed, both, each, more):
    random_ = random.Random(seed)
    references = [random_.choices(WORDS, k=random_.randint(1, 20)) for _ in range(count)]
    hard = [[random_.random() < both for _ in words] for words in references]
    return [aligned(sctk, folder, name, references,
                    [heard(*row, share, random_) for row in zip(references, hard)])
            for name, share in (("first", each), ("second", each + more))]


def operations(sgml):
    """Of each utterance by its ID."""
    rows = {}
    for name, body in re.findall(r'<PATH id="([^"]*)"[^\n]*>\n(.*?)\n?</PATH>', sgml, re.S):
        rows[name] = "".join(step[0] for step in re.split(r":(?=[CSDI],)", body.strip()) if step)
    return rows


def figures(sctk, folder, sgmls):
    said = {}
    for options in (["-v"], ["-u"]):
        subprocess.run([sctk / "src/sclite/sc_stats", "-p", "-t", "mapsswe", *options, "-n", "out"],
                       cwd=folder, check=True, input="".join(sgmls), text=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    report = (folder / "out.stats.mapsswe").read_text()
    for name, pattern in (("segments", r"# segs: (\d+)"), ("mean", r"mean: (\S+)\)"),
                          ("deviation", r"std dev: (\S+)\)"), ("z", r"Z Stat: (\S+)\)")):
        said[name] = re.search(pattern, report).group(1)
    unified = (folder / "out.stats.unified").read_text()
    said["p"] = re.search(r"\|\s+MP.*?(\d\.\d{3})", unified).group(1)
    return said


def write(name, sctk, folder, sgmls):
    rows = [operations(sgml) for sgml in sgmls]
    assert rows[0].keys() == rows[1].keys()
    lines = [f"{key} {value}" for key, value in figures(sctk, folder, sgmls).items()]
    for one in rows[0]:
        lines.append(" ".join((row[one] or "-").replace("C", "=") for row in rows))
    (HERE / (name + ".txt")).write_text("\n".join(lines) + "\n")


def main():
    sctk = pathlib.Path(sys.argv[1]).resolve()
    data = sctk / "src/sclite/testdata"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        write("nist", sctk, folder,
              [(data / name).read_text() for name in ("file1.sgml", "file2.sgml")])
        for name, (count, *rest) in DRAWN.items():
            write(name, sctk, folder, drawn(sctk, folder, count, *rest))


if __name__ == "__main__":
    main()
