"""One JSON line a check in $OUT/results.jsonl, as soon as it is known, and a short line to stdout; all of them as $OUT/table.md."""
import json
import time

from places import DEVICE, OUT

FILE = OUT / "results.jsonl"
START = time.time()
STATUSES = ("passed", "failed", "skipped")
LONGEST = 160  # figures of a row of the table
lines = []
counts = dict.fromkeys(STATUSES, 0)


def record(check, status, found=None, why=None, seconds=None, device=DEVICE):
    """`device` is what the check ran on; None where it ran on none."""
    counts[status] += 1
    line = {"check": check, "status": status, "device": device if status != "skipped" else None, "seconds": seconds,
            "at": round(time.time() - START), "found": found or {}}
    if why:
        line["why"] = why[:1500]
    lines.append(line)
    with open(FILE, "a", encoding="utf-8") as file:
        file.write(json.dumps(line, default=str) + "\n")
    shown = why or json.dumps(found or {}, default=str)
    print(f"{status:7s} {check:28s} {'' if seconds is None else seconds:>6} {shown[:220]}", flush=True)


def passed_before(file):
    """Names of the checks that passed in an earlier results.jsonl."""
    with open(file, encoding="utf-8") as lines:
        told = [json.loads(line) for line in lines]
    return {line["check"] for line in told if line["status"] == "passed"}


def write_table(card):
    """The rows that README.md keeps: check, result, figures, device and date."""
    rows = ["| check | result | figures | device | date |", "|---|---|---|---|---|"]
    for line in lines:
        figures = (line.get("why") or json.dumps(line["found"], default=str))[:LONGEST].replace("|", "/").replace("\n", " ")
        device = card if (line["device"] or "").startswith("cuda") else line["device"] or ""
        rows.append(f"| {line['check']} | {line['status']} | {figures} | {device} | {time.strftime('%Y-%m-%d')} |")
    (OUT / "table.md").write_text("\n".join(rows) + "\n", encoding="utf-8")
