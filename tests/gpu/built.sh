# shellcheck shell=bash disable=SC1091,SC2154
# Sourced by gpu.sh in a checkout with a release build.
. "$root/packaging/env.sh"
export GPU_PROGRAMS=${GPU_PROGRAMS:-$root/build/release/bin}
[ -x "$GPU_PROGRAMS/earwright" ] || { echo "There is no $GPU_PROGRAMS/earwright: bash packaging/build.sh makes it." >&2; exit 1; }
export EARWRIGHT_SOUNDS_DIR=${EARWRIGHT_SOUNDS_DIR:-$earwright_sounds}
if [ -e "$root/build/peer/ready" ]; then
  export GPU_PEER_PYTHON=$root/build/peer/bin/python
fi
