#!/usr/bin/env bash
# Faults at random over real trainings, for so long:
#   bash tests/chaos.sh MINUTES [--seed N] [--heartbeat SECONDS] [BUILD_FOLDER]
# Prints each fault, and at the end how many were injected and survived (tests/chaos.py says what surviving is).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: chaos.sh MINUTES [--seed N] [--heartbeat SECONDS] [BUILD_FOLDER]" >&2; exit 2; }
. "$here/../packaging/env.sh"
export EARWRIGHT_SOUNDS_DIR=${EARWRIGHT_SOUNDS_DIR:-$earwright_sounds} QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
exec python3 "$here/chaos.py" "$@"
