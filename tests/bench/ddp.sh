#!/usr/bin/env bash
# Two CPU ranks of Earwright beside one, and beside SpeechBrain under torchrun, alternately, on this machine:
#   bash tests/bench/ddp.sh [--data DIR] [--steps N] [--repeats N]        (as against_speechbrain.sh)
# Each row with a target ends in ratio=R: what was measured over it; 1 or more is met.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ -n "${EARWRIGHT_BIN:-}" ] ||
  bash -euc '. "$0"; cd "$earwright_root"; cmake --build build/release --target event_bench' "$here/../../packaging/env.sh"
EARWRIGHT_BENCH=ddp.py exec bash "$here/against_speechbrain.sh" "$@"
