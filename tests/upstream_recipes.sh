#!/usr/bin/env bash
# Which of upstream's recipes for recognition train as they stand:
#   bash tests/upstream_recipes.sh RECIPES_FOLDER [--only PART] [--check] [--jobs 2] [--steps 4]
# RECIPES_FOLDER is recipes/ of SpeechBrain's repository. Each recipe is checked with nothing but its placeholders filled (a Hub's name
# counts as one: this reads no network) and, where it passes, trained for 4 steps on the CPU on a corpus of some short utterances in the
# layout that it expects (--check: checked alone). Fails where the ones that train are not those of tests/upstream/expected. Writes build/upstream.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../packaging/env.sh"
cd "$earwright_root"
. "$here/bench/peer.sh"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
exec "$peer/bin/python" "$here/upstream/recipes.py" --earwright "${EARWRIGHT_BIN:-build/release/bin/earwright}" "$@"
