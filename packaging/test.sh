#!/usr/bin/env bash
# From nothing to tested: set-up, Release build, every test by ctest:  bash packaging/test.sh [--with-upstream] [ctest's options]
# Tests that need a GPU are left out. Those that lack a folder, or SpeechBrain, FunASR, jiwer and transformers, skip aloud;
# --with-upstream installs these (into build/peer and build/peer-transformers). What was skipped is counted at the end, with what would make it run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/build.sh"
. "$here/env.sh"
cd "$earwright_root"
if [ "${1:-}" = --with-upstream ]; then
  shift
  . tests/bench/peer.sh
  install_funasr
  install_jiwer
  install_transformers
fi
rm -f build/release/Testing/Temporary/LastTest.log
ended=0
ctest --preset release "$@" || ended=$?
python3 tests/skipped.py build/release || true
exit $ended
