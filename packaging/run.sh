#!/usr/bin/env bash
# Set-up, build, then the demo: the window on the demo recipe or, without a display, the demo trained on 2 CPU ranks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/build.sh"
. "$here/env.sh"
cd "$earwright_root"
bin=build/release/bin
prompts=build/prompts
transcripts=$earwright_sounds/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz
if [ ! -e "$prompts/train.csv" ]; then
  $bin/earwright prepare prompts --lang en --transcripts "$transcripts" --out "$prompts"
fi
recipe=configs/demo/ctc_prompts_en.yaml
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec $bin/earwright-studio "$recipe" "$@"
fi
run=runs/demo-$(date +%Y%m%d-%H%M%S)
$bin/earwright train "$recipe" --devices cpu:2 --run-dir "$run" "$@"
QT_QPA_PLATFORM=offscreen $bin/earwright-studio --report "$run/report.png" "$run"
echo "Report: $run/report.png"
