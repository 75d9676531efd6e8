#!/usr/bin/env bash
# What the editor costs, as percentiles against its targets (tests/bench/editor_bench.cpp):
#   bash tests/bench/editor.sh [BUILD_FOLDER]      (default: build/release)
# Recipes: $EARWRIGHT_RECIPES_DIR, else configs/. Without a display it runs offscreen.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${1:-build/release}
if [ ! -x "$build/bin/editor_bench" ]; then
  echo "no $build/bin/editor_bench: build it with 'cmake --build $build --target editor_bench'" >&2
  exit 2
fi
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} QT_LOGGING_RULES=${QT_LOGGING_RULES:-"*.warning=false"}
exec "$build/bin/editor_bench"
