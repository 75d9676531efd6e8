#!/usr/bin/env bash
# Set-up, then a Release build into build/release. Extra arguments go to cmake's configure step.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bash "$here/setup.sh"
. "$here/env.sh"
cd "$earwright_root"
[ -e build/release/build.ninja ] && [ $# = 0 ] || cmake --preset release "$@" >build/configure.log 2>&1 ||
  { tail -40 build/configure.log >&2; exit 1; }
cmake --build --preset release
