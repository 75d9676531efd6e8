#!/usr/bin/env bash
# Seconds of CPU and memory that `check` takes for a manifest of a million rows beside a tenth of them, as CSV, JSON and JSON Lines:
#   bash tests/bench/manifests.sh [ROWS] [BUILD_FOLDER]      (default: 1000000 build/release)
# Memory counts from what the program itself takes (`--version`). Rows have texts of their own and share eight sounds; validation and
# test have a hundred.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
rows=${1:-1000000}
program=$PWD/${2:-build/release}/bin/earwright
[ -x "$program" ] || { echo "no $program: build it first" >&2; exit 2; }
[ -x /usr/bin/time ] || { echo "no /usr/bin/time: install the package 'time'" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/make.py" <<'PY'
import json, math, random, struct, sys, wave

kind, rows, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sounds = []
for number in range(8):
    sounds.append(f"{folder}/sound{number}.wav")
    with wave.open(sounds[-1], "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(i * (0.1 + number / 50)))) for i in range(64000)))
draw = random.Random(1)
words = ["".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(draw.randint(2, 8))) for _ in range(20000)]

def write(file, rows):
    with open(file, "w") as out:
        out.write({"csv": "ID,duration,wav,spk_id,wrd\n", "json": "{\n", "jsonl": ""}[kind])
        for row in range(rows):
            name, sound = f"utterance-{row:07d}", sounds[row % len(sounds)]
            text = " ".join(draw.choice(words) for _ in range(8))
            if kind == "csv":
                out.write(f"{name},8.0,{sound},speaker{row % 1000},{text}\n")
            elif kind == "json":
                value = json.dumps({"wav": sound, "length": 8.0, "spk_id": f"speaker{row % 1000}", "words": text})
                out.write(f'"{name}": {value}' + ("\n}\n" if row + 1 == rows else ",\n"))
            else:
                out.write(json.dumps({"key": name, "source": sound, "source_len": 800, "target": text}) + "\n")

write(f"{folder}/rows.{kind}", rows)
write(f"{folder}/few.{kind}", 100)
PY

# "SECONDS MB" of a command; what it prints goes to the log.
cost() {
  /usr/bin/time -o "$work/cost" -f "%U %S %M" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  awk '{printf "%.2f %.0f\n", $1 + $2, $3 / 1024}' "$work/cost"
}

read -r _ own <<<"$(cost "$program" --version)"
echo "the program itself: $own MB"
for kind in csv json jsonl; do
  for count in $((rows / 10)) "$rows"; do
    python3 "$work/make.py" "$kind" "$count" "$work"
    sed -e "s#^data_folder: .*#data_folder: $work#" -e "s#^train_csv: .*#train_csv: $work/rows.$kind#" \
      -e "s#^\(valid\|test\)_csv: .*#\1_csv: $work/few.$kind#" \
      -e "s#^output_neurons: .*#output_neurons: 40#" configs/yesno/ctc_conv.yaml >"$work/recipe.yaml"
    read -r seconds all <<<"$(cost "$program" check "$work/recipe.yaml")"
    echo "$kind, $count rows: $seconds s, $((all - own)) MB"
    [ "$count" = "$rows" ] || { tenth_seconds=$seconds; tenth=$((all - own)); }
  done
  awk -v k="$kind" -v a="$tenth_seconds" -v b="$seconds" -v c="$tenth" -v d="$((all - own))" \
    'BEGIN { printf "%s, ten times the rows: %.1f times the time, %.1f times the memory\n", k, b / a, d / (c > 0 ? c : 1) }'
done
