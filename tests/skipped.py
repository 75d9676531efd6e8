"""What the last run of ctest skipped, and what would make it run:  skipped.py BUILD_FOLDER

Reads ctest's log: Qt Test's lines SKIP, and the tests that ended with their SKIP_RETURN_CODE.
"""
import collections
import pathlib
import re
import sys

BLOCK = re.compile(r"^\d+/\d+ Testing: (\S+)$", re.MULTILINE)
QT_SKIP = re.compile(r"^SKIP   : \w+::(\S+?\(.*?\)) (.*)$", re.MULTILINE)
OWN_SKIP = re.compile(r"^SKIP: (.*)$", re.MULTILINE)


def skips_of(log):
    """Pairs of the reason and what was skipped, in the log's order."""
    parts = BLOCK.split(log)
    for test, text in zip(parts[1::2], parts[2::2]):
        for slot, reason in QT_SKIP.findall(text):
            yield reason, f"{test} {slot}"
        for reason in OWN_SKIP.findall(text):
            yield reason, test


def main():
    log = pathlib.Path(sys.argv[1]) / "Testing" / "Temporary" / "LastTest.log"
    if not log.exists():
        print("No test was run.")
        return
    by_reason = collections.defaultdict(list)
    for reason, what in skips_of(log.read_text(encoding="utf-8", errors="replace")):
        by_reason[reason].append(what)
    total = sum(len(skipped) for skipped in by_reason.values())
    print(f"Skipped: {total}" + (", for want of:" if total else ""))
    for reason, skipped in by_reason.items():
        print(f"  {reason}: {len(skipped)}")
        print("      " + ", ".join(skipped[:5]) + (", …" if len(skipped) > 5 else ""))


if __name__ == "__main__":
    main()
