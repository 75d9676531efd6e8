#!/usr/bin/env bash
# SpeechBrain's searches and Kymo's, on one core: bash tests/bench/decoders.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$kymo_root"
. "$here/peer.sh"
if [ ! -e "$peer/decoders-ready" ]; then
  echo "Installing KenLM's Python module into $peer (once)"
  "$peer/bin/pip" install --quiet --disable-pip-version-check kenlm==0.3.0 pygtrie
  touch "$peer/decoders-ready"
fi
exec "$peer/bin/python" "$here/decoders.py" "${KYMO_BENCH_BIN:-build/release/bin}"
