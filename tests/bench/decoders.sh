#!/usr/bin/env bash
# SpeechBrain's searches and Kymo's, on one core: bash tests/bench/decoders.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$kymo_root"
peer=build/peer
if [ ! -e "$peer/decoders-ready" ]; then
  echo "Installing SpeechBrain and KenLM's Python module into $peer (once)"
  [ -e "$peer/bin/python" ] || python3 -m venv "$peer"
  # The peer runs on the very LibTorch that Kymo is linked with.
  echo "$kymo_site" >"$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/torch.pth"
  "$peer/bin/pip" install --quiet --disable-pip-version-check torchaudio==2.11.0 speechbrain==1.1.2 soundfile safetensors kenlm==0.3.0 pygtrie
  touch "$peer/decoders-ready"
fi
exec "$peer/bin/python" "$here/decoders.py" "${KYMO_BENCH_BIN:-build/release/bin}"
