#!/usr/bin/env bash
# What the window costs with many runs, beside a tenth of them (tests/bench/studio_bench.cpp):
#   bash tests/bench/studio.sh [BUILD_FOLDER]      (default: build/release)
# Without a display it runs offscreen. The run folders are made in $TMPDIR and go afterwards.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${1:-build/release}
if [ ! -x "$build/bin/studio_bench" ]; then
  echo "no $build/bin/studio_bench: build it with 'cmake --build $build --target studio_bench'" >&2
  exit 2
fi
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} QT_LOGGING_RULES=${QT_LOGGING_RULES:-"*.warning=false"}
exec "$build/bin/studio_bench"
