#!/usr/bin/env bash
# From nothing to tested: set-up, Release build, every test by ctest. Tests that need a GPU or a folder that is not there skip aloud.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/build.sh"
. "$here/env.sh"
cd "$kymo_root"
export KYMO_SOUNDS_DIR=${KYMO_SOUNDS_DIR:-$kymo_sounds}
ctest --preset release "$@"
