#!/usr/bin/env bash
# Does a test mind when something falls silent? Each mutation is switched off in turn, and the first test slot that fails for it is
# named. Fails where none does, and where a test fails without any.
#   bash tests/mutate.sh check [BUILD_FOLDER]         every rule of core/check/rule_table.cpp
#   bash tests/mutate.sh distributed [BUILD_FOLDER]   what keeps ranks alike, awake and their files whole: isDisabled("…") in core/
set -euo pipefail
cd "$(dirname "$0")/.."
build=${2:-build/mutate}
# A test's program, its name and the slots of it that are run (all where none is named).
case ${1:-} in
check)
  options=(-DEARWRIGHT_TRAIN=OFF)
  tests=('test_check tst_check' 'test_data tst_recipe_data' 'test_data tst_token_check')
  mutations=$(sed -n 's/^ *{ "\([a-z0-9-]*\)", ".*/\1/p' core/check/rule_table.cpp)
  ;;
distributed)
  options=(-DEARWRIGHT_TRAIN=ON)
  tests=(
    'test_precision tst_precision overflow_halvesTheScale'
    'test_distributed tst_gradient_sync gradients_areTheMeanOverRanks'
    'test_distributed tst_buckets firstStep_addsUpAsTheLaterOnes'
    'test_distributed tst_group runOnMain_runsOnceAndTellsAll barrier_holdsAllUntilTheLastComes differentBarriers_areNamedOnEveryRank'
    'test_train tst_checkpoint everyPart_isOnTheDiskBeforeTheNext'
    'test_distributed tst_watch deadlock_isReportedToAll'
  )
  mutations=$(grep -rhoE 'isDisabled\("[a-z-]+"\)' core | sort | cut -d'"' -f2)
  ;;
*)
  echo "usage: bash tests/mutate.sh check|distributed [BUILD_FOLDER]" >&2
  exit 2
  ;;
esac
. packaging/env.sh
# What only some machines have must not decide: the repository's own cases have to see every mutation.
unset EARWRIGHT_RECIPES_DIR EARWRIGHT_DISABLE
export QT_QPA_PLATFORM=offscreen

mkdir -p "$build"
echo "building in $build"
cmake --preset release -B "$build" -DEARWRIGHT_STUDIO=OFF -DEARWRIGHT_MUTATE=ON "${options[@]}" >"$build/build.log" 2>&1 &&
  cmake --build "$build" --target "${tests[@]%% *}" >>"$build/build.log" || { tail -30 "$build/build.log" >&2; exit 1; }

for test in "${tests[@]}"; do
  if ! "$build/bin/"$test >"$build/test.log" 2>&1; then
    grep -m5 '^FAIL!' "$build/test.log" >&2 || true
    echo "$test fails with nothing switched off: nothing can be said of any mutation" >&2
    exit 1
  fi
done

# The first slot that fails with the mutation; nothing where all pass.
noticed_by() {
  EARWRIGHT_DISABLE=$1 "$build/bin/"$2 2>/dev/null | sed -n 's/^FAIL!  : [A-Za-z]*::\([^ ]*\).*/\1/p' | head -1 || true
}

unseen=0
count=0
printf '%-28s %s\n' 'switched off' 'test that fails'
for mutation in $mutations; do
  count=$((count + 1))
  by=
  for test in "${tests[@]}"; do
    slot=$(noticed_by "$mutation" "$test")
    if [ -n "$slot" ]; then
      by="${test#* }"
      by="${by%% *} $slot"
      break
    fi
  done
  [ -n "$by" ] || unseen=$((unseen + 1))
  printf '%-28s %s\n' "$mutation" "${by:-UNSEEN}"
done
echo "$count mutations, $unseen unseen"
[ "$count" -gt 0 ] && [ "$unseen" -eq 0 ]
