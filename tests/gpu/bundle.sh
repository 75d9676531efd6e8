#!/usr/bin/env bash
# Called by gpu.sh: packs earwright, the libraries of this system that it needs, recipes, a little speech and SpeechBrain's wheels.
# The other machine needs x86-64 Linux with this glibc or a newer one, and Python with the LibTorch that Earwright was built with.
# PEER=no leaves SpeechBrain out; PYTHON_VERSION is that of the other machine's Python (default: this one's),
# EARWRIGHT_PARITY_DIR names the recorded cases of the check parity (default: tests/cases/parity), EARWRIGHT_PARITY2_DIR more of them,
# DEVICE=cpu packs shorter speech, for a rehearsal on a CPU.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
# shellcheck disable=SC1091
. "$root/tests/gpu/built.sh"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage"/{lib,libfallback,wheels,data,build/release/bin,tests/bench,configs/aishell1s}

programs=(earwright)
for program in test_step_reads_gpu test_model; do
  [ ! -x "$GPU_PROGRAMS/$program" ] || programs+=("$program")
done
for program in "${programs[@]}"; do
  strip -s -o "$stage/build/release/bin/$program" "$GPU_PROGRAMS/$program"
  ldd "$GPU_PROGRAMS/$program"
done | awk '/=> \/(usr\/)?lib/ {print $3}' | sort -u | while read -r file; do
  case $(basename "$file") in
  libc.so.6 | libm.so.6 | libpthread* | librt* | libdl* | libutil* | ld-linux*) ;; # glibc is the other machine's
  libstdc++* | libgcc_s*) cp -L "$file" "$stage/libfallback/" ;;
  *) cp -L "$file" "$stage/lib/" ;;
  esac
done
[ -e "$GPU_PROGRAMS/earwright_cuda.so" ] || { echo "$GPU_PROGRAMS has no earwright_cuda.so: build with a LibTorch for CUDA" >&2; exit 1; }
strip --strip-unneeded -o "$stage/build/release/bin/earwright_cuda.so" "$GPU_PROGRAMS/earwright_cuda.so"
strip --strip-unneeded "$stage"/lib/*.so*
bash "$root/tests/gpu/cupti.sh" "$stage/lib/libearwright_cupti.so" 2>/dev/null || echo "no CUPTI here: the checks 'profile' will be skipped" >&2

cp -r "$root/tests/gpu.sh" "$root/tests/gpu" "$stage/tests/"
rm -rf "$stage/tests/gpu/__pycache__"
cp -r "$root/tests/bench/recipes" "$root"/tests/bench/{peer_speechbrain,rounding}.py "$stage/tests/bench/"
cp "$root"/configs/aishell1s/{paraformer,seaco_paraformer}.yaml "$stage/configs/aishell1s/"
if [[ " ${programs[*]} " == *" test_model "* ]]; then
  mkdir "$stage/parity"
  # The cases and what they read, without the scripts that make them.
  find "${EARWRIGHT_PARITY_DIR:-$root/tests/cases/parity}" -maxdepth 1 -type f ! -name '*.py' -exec cp -t "$stage/parity" {} +
  if [ -n "${EARWRIGHT_PARITY2_DIR:-}" ]; then
    mkdir "$stage/parity2"
    # Without those that nothing here computes yet. Its list names them too, so it stays behind.
    find "$EARWRIGHT_PARITY2_DIR" -maxdepth 1 -type f ! -name '*.py' ! -name README.md -exec cp -t "$stage/parity2" {} +
    sed -n 's/^\([^#:]*\): .*/\1/p' "$root/tests/cases/parity/open.txt" | while read -r name; do
      rm -f "$stage/parity2/$name.json" "$stage/parity2/$name.safetensors"
    done
  fi
fi
DEVICE=${DEVICE:-cuda:0} GPU_ROOT=$root PYTHONDONTWRITEBYTECODE=1 python3 "$root/tests/gpu/audio.py" "$stage/data"

if [ "${PEER:-yes}" != no ]; then
  version=${PYTHON_VERSION:-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')}
  # shellcheck disable=SC1091
  (. "$root/packaging/env.sh" && pinned peer speechbrain hyperpyyaml ruamel-yaml ruamel-yaml-clib soundfile cffi pycparser) >"$stage/wheels/pins.txt"
  python3 -m pip download -q --disable-pip-version-check --require-hashes --no-deps --only-binary=:all: --implementation cp --python-version "$version" \
    --platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 -d "$stage/wheels" \
    -r "$stage/wheels/pins.txt" ||
    { rm -f "$stage"/wheels/*; echo "SpeechBrain could not be fetched: the check 'speed' will be skipped" >&2; }
fi

tar -C "$stage" -cf - . | xz -T0 >"$out/earwright-gpu.tar.xz"
cp "$root/tests/gpu.sh" "$out/"
echo "$out: $(du -sm "$out" | cut -f1) MiB; on the other machine: bash gpu.sh run earwright-gpu.tar.xz"
