#!/usr/bin/env bash
# The same steps in SpeechBrain or FunASR and in Earwright, from the same weights (fp32, every dropout 0), the losses laid over each other:
#   bash tests/differential.sh [--data DIR] [--steps 50] [RECIPE…]        (recipes of tests/bench/recipes; default: all)
# Writes build/differential/RECIPE.svg and .csv. Fails where a loss is further from upstream's than upstream moves from itself when
# the last bit of its initial weights is changed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../packaging/env.sh"
cd "$earwright_root"
. "$here/bench/peer.sh"
install_funasr
exec python3 "$here/differential.py" --earwright "${EARWRIGHT_BIN:-build/release/bin/earwright}" "$@"
