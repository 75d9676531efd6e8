#!/usr/bin/env bash
# SpeechBrain's searches and Earwright's, on one core: bash tests/bench/decoders.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$earwright_root"
. "$here/peer.sh"
install_kenlm
[ -n "${EARWRIGHT_BENCH_BIN:-}" ] || cmake --build build/release --target decode_bench s2s_bench
exec "$peer/bin/python" "$here/decoders.py" "${EARWRIGHT_BENCH_BIN:-build/release/bin}"
