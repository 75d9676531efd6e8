#!/usr/bin/env bash
# Kymo and SpeechBrain on the same recipes, data, weights and LibTorch, alternately, on this machine:
#   bash tests/bench/against_speechbrain.sh [--data DIR] [--device cpu|cuda] [--steps N] [--repeats N]
# DIR holds train.csv, dev.csv and test.csv (default: $KYMO_DATA_DIR/gsc10, else the demo's prompts).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$kymo_root"
peer=build/peer
if [ ! -e "$peer/ready" ]; then
  echo "Installing SpeechBrain into $peer (once)"
  python3 -m venv "$peer"
  # The peer runs on the very LibTorch that Kymo is linked with.
  echo "$kymo_site" >"$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/torch.pth"
  "$peer/bin/pip" install --quiet --disable-pip-version-check torchaudio==2.11.0 speechbrain==1.1.2 soundfile safetensors
  touch "$peer/ready"
fi
data=build/prompts
if [ -n "${KYMO_DATA_DIR:-}" ] && [ -e "$KYMO_DATA_DIR/gsc10/train.csv" ]; then
  data=$KYMO_DATA_DIR/gsc10
fi
exec python3 "$here/${KYMO_BENCH:-against_speechbrain.py}" --kymo "${KYMO_BIN:-build/release/bin/kymo}" --peer "$peer/bin" --data "$data" "$@"
