#!/usr/bin/env bash
# SpeechBrain's, FunASR's and transformers' components and Earwright's, one by one on one core:
#   bash tests/bench/components.sh [NAME…]
# Loader, features, normalization, augmentation, encoders and the Transformer's decoder forward and backward; the parts of a
# Paraformer; pretrained encoders, and Whisper's encoder and decoder; then the searches (decoders.sh). The loader reads
# $EARWRIGHT_DATA_DIR/gsc10, else the demo's prompts. With names of components.py only these.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$earwright_root"
. "$here/peer.sh"
install_funasr
install_transformers
data=build/prompts manifest=dev.csv
if [ -n "${EARWRIGHT_DATA_DIR:-}" ] && [ -e "$EARWRIGHT_DATA_DIR/gsc10/dev.csv" ]; then
  data=$EARWRIGHT_DATA_DIR/gsc10
fi
bin=${EARWRIGHT_BENCH_BIN:-build/release/bin}
[ -n "${EARWRIGHT_BENCH_BIN:-}" ] || cmake --build build/release --target component_bench paraformer_bench
"$peer/bin/python" "$here/components.py" "$bin" "$data/$manifest" "$data" "$@"
[ $# -eq 0 ] || exit 0
"$peer/bin/python" "$here/paraformer_components.py" "$bin"
"$peer_transformers/bin/python" "$here/transformers_components.py" "$bin"
exec bash "$here/decoders.sh"
