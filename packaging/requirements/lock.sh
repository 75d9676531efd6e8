#!/usr/bin/env bash
# Writes each NAME.txt anew from NAME.in: every package with its version and the SHA-256 of all its files, for CPython 3.10 and
# later. What stands in a NAME.txt already keeps its version:  bash packaging/requirements/lock.sh [--upgrade]
set -euo pipefail
cd "$(dirname "$0")"
options=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work"
"$work/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9

# lock NAME [uv's options]
lock() {
  "$work/bin/uv" pip compile --quiet --python-version 3.10 --universal --generate-hashes --no-header --no-annotate \
    "${options[@]}" "${@:2}" "$1.in" -o "$1.txt"
}
lock build
built=()
for package in $(sed -n 's/^\([a-z0-9.-]*\)==.*/\1/p' build.txt | sort -u); do
  built+=(--no-emit-package "$package")
done
lock arrow -c build.txt
lock nvcc -c build.txt "${built[@]}"
lock sources --no-deps
lock peer -c build.txt "${built[@]}"
lock peer_funasr --no-deps -c peer.txt
lock peer_kenlm --no-deps
lock peer_jiwer -c peer.txt -c peer_funasr.txt
lock peer_transformers -c build.txt "${built[@]}"
