#!/usr/bin/env bash
# Seconds that reading the utterances of an evaluation takes, 100,000 beside 10,000 (utterances_bench.cpp):
#   bash tests/bench/utterances.sh [PASSES]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$earwright_root"
cmake --build build/release --target utterances_bench
exec build/release/bin/utterances_bench "$@"
