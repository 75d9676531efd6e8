#!/usr/bin/env bash
# Earwright and SpeechBrain on the same recipes, data, weights and LibTorch, alternately, on this machine:
#   bash tests/bench/against_speechbrain.sh [--data DIR] [--device cpu|cuda] [--steps N] [--repeats N]
# DIR holds train.csv, dev.csv and test.csv (default: $EARWRIGHT_DATA_DIR/gsc10, else the demo's prompts).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$earwright_root"
. "$here/peer.sh"
data=build/prompts
if [ -n "${EARWRIGHT_DATA_DIR:-}" ] && [ -e "$EARWRIGHT_DATA_DIR/gsc10/train.csv" ]; then
  data=$EARWRIGHT_DATA_DIR/gsc10
fi
exec python3 "$here/${EARWRIGHT_BENCH:-against_speechbrain.py}" --earwright "${EARWRIGHT_BIN:-build/release/bin/earwright}" --peer "$peer/bin" --data "$data" "$@"
