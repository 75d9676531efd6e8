#!/usr/bin/env bash
# The checks that need a GPU (tests/gpu/README.md):
#   bash tests/gpu.sh [--list] [--only EXPRESSION]     # after a build here; under ten minutes
#   bash tests/gpu.sh bundle OUT_FOLDER                # makes OUT_FOLDER/{gpu.sh,earwright-gpu.tar.xz} for another machine
#   bash gpu.sh run earwright-gpu.tar.xz [--only …]         # there: unpacks into $WORK and runs the checks
# Variables: GPU_BUDGET (seconds), GPU_ONLY, GPU_SKIP, GPU_DONE, GPU_MODELS, DEVICE (cuda:0, cpu), WORK, OUT (for results.jsonl and
# log.txt), STEPS, EARWRIGHT_DATA_DIR; of `run` also VENV (a Python venv with torch; default: python3 has it).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export WORK=${WORK:-/tmp/earwright-gpu}
export OUT=${OUT:-$WORK/out}
mkdir -p "$WORK" "$OUT"

case ${1:-} in
bundle)
  [ $# -eq 2 ] || { echo "usage: gpu.sh bundle OUT_FOLDER" >&2; exit 2; }
  exec bash "$here/gpu/bundle.sh" "$2"
  ;;
run)
  [ $# -ge 2 ] || { echo "usage: gpu.sh run earwright-gpu.tar.xz" >&2; exit 2; }
  archive=$2
  shift 2
  bundle=$WORK/bundle
  if [ ! -e "$bundle/ready" ] || [ "$archive" -nt "$bundle/ready" ]; then
    rm -rf "$bundle"
    mkdir -p "$bundle"
    # Python reads xz on machines that have no program for it.
    python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$archive" "$bundle"
    touch "$bundle/ready"
  fi
  exec bash "$bundle/tests/gpu.sh" "$@"
  ;;
esac

[ -d "$here/gpu" ] || { echo "usage: gpu.sh run earwright-gpu.tar.xz" >&2; exit 2; }
root=$(cd "$here/.." && pwd)
export GPU_ROOT=$root
if [ -d "$root/lib" ]; then
  # shellcheck disable=SC1091
  . "$here/gpu/bundled.sh"
else
  # shellcheck disable=SC1091
  . "$here/gpu/built.sh"
fi
exec env PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 CUDA_MODULE_LOADING=LAZY python3 "$here/gpu/main.py" "$@"
