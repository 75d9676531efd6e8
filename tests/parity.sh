#!/usr/bin/env bash
# The parity cases drawn anew by upstream under other seeds, and tst_parity on them: bash tests/parity.sh [SHIFT…]     (default: 1 2 3)
# $EARWRIGHT_PARITY_DIR holds the cases and the scripts that make them (verify.py, PARITY_SHIFT); the new ones go to build/parity-SHIFT.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../packaging/env.sh"
cd "$earwright_root"
. "$here/bench/peer.sh"
install_kenlm
install_funasr
failed=()
[ $# -gt 0 ] || set -- 1 2 3
for shift in "$@"; do
  cases=build/parity-$shift
  rm -rf "$cases"
  cp -r "${EARWRIGHT_PARITY_DIR:?names the folder of the parity cases}" "$cases"
  PARITY_SHIFT=$shift PARITY_SB_PYTHON=$PWD/$peer/bin/python PARITY_FA_PYTHON=$PWD/$peer/bin/python \
    "$peer/bin/python" "$cases/verify.py" --gen
  EARWRIGHT_PARITY_DIR=$PWD/$cases build/release/bin/test_model tst_parity -silent || failed+=("$shift")
done
[ ${#failed[@]} = 0 ] || { echo "cases of these shifts are not met: ${failed[*]}" >&2; exit 1; }
