#!/usr/bin/env bash
# What a list of hotwords gains and costs one SeACo checkpoint, and what it costs where its words are never spoken:
#   bash tests/bench/hotwords.sh [--weight NATS] [SEED…]
# For each seed (default: the recipes' own) dsp20's Paraformer, on half of the speakers, and SeACo on it, on all, are trained on two
# CPU ranks, unless build/hotwords holds them, and its test is transcribed with the true list, an empty one and wrong ones.
# EARWRIGHT_DATA_DIR holds dsp20.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$earwright_root"
exec python3 "$here/hotwords.py" --earwright build/release/bin/earwright --data "${EARWRIGHT_DATA_DIR:?names the folder of the data}/dsp20" "$@"
