#!/usr/bin/env bash
# The parity cases drawn anew by upstream under other seeds, and tst_parity on them: bash tests/parity.sh [SHIFT…]     (default: 1 2 3)
# $EARWRIGHT_PARITY_DIR and, where it is set, $EARWRIGHT_PARITY2_DIR hold the cases and the scripts that make them (verify.py,
# PARITY_SHIFT); the new ones go to build/parity-SHIFT and build/parity2-SHIFT.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../packaging/env.sh"
cd "$earwright_root"
. "$here/bench/peer.sh"
install_kenlm
install_funasr
[ -z "${EARWRIGHT_PARITY2_DIR:-}" ] || install_transformers
failed=()
[ $# -gt 0 ] || set -- 1 2 3

# draw FROM TO SHIFT PYTHON: the cases of the folder FROM anew, into TO; of SpeechBrain and transformers by PYTHON.
draw() {
  rm -rf "$2"
  cp -r "$1" "$2"
  PARITY_SHIFT=$3 PARITY_SB_PYTHON=$PWD/$4/bin/python PARITY_FA_PYTHON=$PWD/$peer/bin/python "$peer/bin/python" "$2/verify.py" --gen
}
for shift in "$@"; do
  draw "${EARWRIGHT_PARITY_DIR:?names the folder of the parity cases}" "build/parity-$shift" "$shift" "$peer"
  second=
  if [ -n "${EARWRIGHT_PARITY2_DIR:-}" ]; then
    second=$PWD/build/parity2-$shift
    draw "$EARWRIGHT_PARITY2_DIR" "$second" "$shift" "$peer_transformers"
  fi
  EARWRIGHT_PARITY_DIR=$PWD/build/parity-$shift EARWRIGHT_PARITY2_DIR=$second build/release/bin/test_model tst_parity -silent ||
    failed+=("$shift")
done
[ ${#failed[@]} = 0 ] || { echo "cases of these shifts are not met: ${failed[*]}" >&2; exit 1; }
