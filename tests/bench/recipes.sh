#!/usr/bin/env bash
# Trains the shipped recipes on two CPU ranks and writes what they reach into the table of configs/README.md:
#   bash tests/bench/recipes.sh [--gains] [--fresh] [RECIPE…]        (default: all; those not named keep their rows)
# --gains: also what a language model and augmentation gain, for which CTC recipes are trained once more without.
# EARWRIGHT_DATA_DIR holds their data: folders gsc10, fsdd, so762, yesno, dsp20, aishell1s with train.csv, dev.csv and test.csv; build/prompts
# (packaging/run.sh makes it) the demo's. Runs are kept in build/recipes; a finished one of the same recipe is not
# trained again, but with --fresh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../packaging/env.sh"
cd "$earwright_root"
exec python3 "$here/recipes.py" --earwright build/release/bin/earwright --data "${EARWRIGHT_DATA_DIR:?names the folder of the data}" "$@"
