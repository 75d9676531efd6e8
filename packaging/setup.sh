#!/usr/bin/env bash
# Installs what Earwright is built from: Debian packages, and a private venv in build/venv with LibTorch, CMake and Ninja.
# Does nothing where all of it is there. Without root and sudo it prints the one apt line to run and stops.
set -euo pipefail
. "$(dirname "$0")/env.sh"

packages=(g++ clang git pkg-config python3-venv qt6-base-dev qt6-multimedia-dev qt6-svg-dev libqcustomplot-dev libqscintilla2-qt6-dev
  libyaml-cpp-dev nlohmann-json3-dev libprotobuf-dev protobuf-compiler libsentencepiece-dev libsndfile1-dev libutf8proc-dev libicu-dev libgloo-dev zlib1g-dev
  lld libarchive-dev libxml2-dev libminizip-dev libssl-dev
  libboost-program-options-dev libboost-system-dev libboost-thread-dev libboost-test-dev
  breeze-icon-theme fonts-noto-cjk fonts-dejavu-core libgl1-mesa-dev asterisk-core-sounds-en-wav ccache iproute2)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ]; then
    sudo=()
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null || { command -v sudo >/dev/null && [ -t 0 ]; }; then
    sudo=(sudo)
  else
    echo "These packages are missing and this user may not install them. As root, run:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "Installing: ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The demo's transcripts lie in a documentation folder that slim images drop: unpacked into a private one.
if [ ! -e "$earwright_sounds/done" ]; then
  mkdir -p "$earwright_sounds"
  (cd "$earwright_sounds" && apt-get -o APT::Sandbox::User=root download -qq asterisk-core-sounds-en && dpkg-deb -x asterisk-core-sounds-en_*.deb . && rm -f ./*.deb && touch done) ||
    echo "The demo's transcripts could not be fetched: 'apt-get download asterisk-core-sounds-en' failed. Earwright itself works without." >&2
fi

lists=(build)
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null || true)
if [ -z "$nvcc" ] || [[ $nvcc == "$earwright_venv"/* ]]; then
  lists+=(nvcc)
fi
pins=$(cd "$earwright_requirements" && sha256sum "${lists[@]/%/.txt}" arrow.txt)
if [ "$(cat "$earwright_venv/pins" 2>/dev/null)" != "$pins" ]; then
  echo "Installing LibTorch, CMake and Ninja into ${earwright_venv#"$earwright_root"/} (about 5 GB, once)"
  python3 -m venv "$earwright_venv"
  pip_install "$earwright_venv" "${lists[@]}"
  pip_install "$earwright_venv" arrow ||
    echo "pyarrow could not be installed: Earwright works without, but reads no Parquet. Remove $earwright_venv/pins to try again." >&2
  site=$("$earwright_venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
  if [ -x "$site/nvidia/cu13/bin/nvcc" ]; then
    # What CMake's CUDA module expects of a toolkit folder and the wheels leave out.
    cd "$site/nvidia/cu13"
    [ -e lib64 ] || ln -s lib lib64
    for library in lib/*.so.*; do
      plain=${library%%.so.*}.so
      [ -e "$plain" ] || ln -s "$(basename "$library")" "$plain"
    done
  fi
  echo "$pins" >"$earwright_venv/pins"
fi

# As packaging/requirements/sources.txt has it: version_of NAME
version_of() {
  pinned sources "$1" | sed -n 's/.*==\([^ ]*\).*/\1/p'
}
# Unpacks a package's source archive: source_of NAME FOLDER. pip asks an archive for its metadata: with the venv's own setuptools, since
# in an isolated build it would fetch what has no hash.
source_of() {
  pinned sources "$1" >"$2/wanted.txt"
  "$earwright_venv/bin/pip" download --quiet --disable-pip-version-check --require-hashes --no-deps --no-build-isolation --no-binary :all: \
    -d "$2" -r "$2/wanted.txt"
  tar -xzf "$2"/*.tar.gz -C "$2" --strip-components 1
}
earwright_kenlm_version=$(version_of kenlm)
earwright_miniaudio_version=$(version_of miniaudio)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# KenLM reads n-grams and, by lmplz, trains them. Its wheels leave lmplz out; its source archive has all of it.
if [ "$(cat "$earwright_kenlm/version" 2>/dev/null)" != "$earwright_kenlm_version with zlib" ]; then
  echo "Building KenLM $earwright_kenlm_version into ${earwright_kenlm#"$earwright_root"/} (about two minutes, once)"
  mkdir "$work/kenlm"
  source_of kenlm "$work/kenlm"
  # Models come as .arpa.gz too; interpolation and other compressions are not used, so that nothing else need be linked.
  "$earwright_venv/bin/cmake" -S "$work/kenlm" -B "$work/build" -G Ninja -DCMAKE_MAKE_PROGRAM="$earwright_venv/bin/ninja" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$earwright_kenlm" -DCMAKE_POLICY_DEFAULT_CMP0167=OLD -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_BZip2=ON -DCMAKE_DISABLE_FIND_PACKAGE_LibLZMA=ON >"$work/log" 2>&1 &&
    "$earwright_venv/bin/cmake" --build "$work/build" --target install >>"$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }
  echo "$earwright_kenlm_version with zlib" >"$earwright_kenlm/version"
fi

# dr_flac, a part of miniaudio, is a header: the wheels have it compiled, the source archive as it is.
# The folder is searched for headers: a file "version" in it would be taken for the standard one.
if [ "$(cat "$earwright_miniaudio/.version" 2>/dev/null)" != "$earwright_miniaudio_version" ]; then
  mkdir -p "$work/miniaudio" "$earwright_miniaudio"
  source_of miniaudio "$work/miniaudio"
  cp "$work/miniaudio/miniaudio/miniaudio.h" "$earwright_miniaudio/"
  echo "$earwright_miniaudio_version" >"$earwright_miniaudio/.version"
fi
