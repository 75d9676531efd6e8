#!/usr/bin/env bash
# Kymo and SpeechBrain on the same recipes, data, weights and LibTorch, alternately, on this machine:
#   bash tests/bench/against_speechbrain.sh [--data DIR] [--device cpu|cuda] [--steps N] [--repeats N]
# DIR holds train.csv, dev.csv and test.csv (default: $KYMO_DATA_DIR/gsc10, else the demo's prompts).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$kymo_root"
. "$here/peer.sh"
data=build/prompts
if [ -n "${KYMO_DATA_DIR:-}" ] && [ -e "$KYMO_DATA_DIR/gsc10/train.csv" ]; then
  data=$KYMO_DATA_DIR/gsc10
fi
exec python3 "$here/${KYMO_BENCH:-against_speechbrain.py}" --kymo "${KYMO_BIN:-build/release/bin/kymo}" --peer "$peer/bin" --data "$data" "$@"
