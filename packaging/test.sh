#!/usr/bin/env bash
# From nothing to tested: set-up, Release build, every test by ctest:  bash packaging/test.sh [--with-upstream] [ctest's options]
# Tests that need a GPU are left out; those that need a folder that is not there, or SpeechBrain and FunASR, skip aloud, but that
# --with-upstream installs these two (into build/peer). What was skipped is counted at the end, with what would make it run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/build.sh"
. "$here/env.sh"
cd "$earwright_root"
if [ "${1:-}" = --with-upstream ]; then
  shift
  . tests/bench/peer.sh
  install_funasr
fi
ended=0
ctest --preset release "$@" || ended=$?
python3 tests/skipped.py build/release
exit $ended
