"""A line of the table of components: CPU seconds of one pass on one core, upstream's and Earwright's, and their ratio."""
import math
import statistics
import subprocess
import sys
import time

PAIRS = 5  # measured alternately; the median counts
LEAST = 0.4  # seconds of upstream's passes: in fewer a machine's caches and clock tell more than the component
TARGETS = {"features": 3, "loader": 3, "forward": 1, "layer": 1, "transduce": 1, "greedy": 1, "mel": 1, "steps": 1}


def head(upstream):
    print("component          kind       %12s s  Earwright s   ratio target" % upstream)


def seconds(one, passes):
    begin = time.process_time()
    for _ in range(passes):
        one()
    return (time.process_time() - begin) / passes


def row(name, kind, program, theirs, words):
    """theirs: one pass of upstream's; words: what the program is given before the number of passes."""
    theirs()  # does not count
    passes = math.ceil(LEAST / seconds(theirs, 1))
    pairs = []
    for _ in range(PAIRS):
        ours = subprocess.run([program, *words, str(passes)], capture_output=True, text=True)
        if ours.returncode:
            sys.exit(f"{name}: {ours.stderr}")
        pairs.append((seconds(theirs, passes), float(ours.stdout)))
    ratio = statistics.median(a / b for a, b in pairs)
    target = TARGETS.get(kind)
    print("%-18s %-9s %14.4f %12.4f %7.2f %s" % (name, kind, *(statistics.median(x) for x in zip(*pairs)), ratio,
                                              f"{target} {'met' if ratio >= target else 'MISSED'}" if target else ""), flush=True)
