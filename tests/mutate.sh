#!/usr/bin/env bash
# Does a test mind when a rule falls silent? Every rule of core/check/rule_table.cpp is disabled in turn, and the first
# test that fails for it is named. Fails where none does.
#   bash tests/mutate.sh check [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" != check ]; then
  echo "usage: bash tests/mutate.sh check [BUILD_FOLDER]" >&2
  exit 2
fi
build=${2:-build/mutate}
. packaging/env.sh
# What only some machines have must not decide: the repository's own cases have to see every rule.
unset KYMO_RECIPES_DIR KYMO_DISABLE_RULE
tests=(tst_check tst_recipe_data)

echo "building in $build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DKYMO_TRAIN=OFF -DKYMO_STUDIO=OFF -DKYMO_MUTATE=ON >/dev/null
cmake --build "$build" --target "${tests[@]}" >"$build/build.log" || { tail -30 "$build/build.log" >&2; exit 1; }

# The first slot that fails in a test with the rule disabled; nothing where all pass.
noticed_by() {
  KYMO_DISABLE_RULE=$2 "$build/bin/$1" 2>/dev/null | sed -n 's/^FAIL!  : [A-Za-z]*::\([^ ]*\).*/\1/p' | head -1 || true
}

for test in "${tests[@]}"; do
  if ! KYMO_DISABLE_RULE=no-such-rule "$build/bin/$test" >"$build/$test.log" 2>&1; then
    grep -m5 '^FAIL!' "$build/$test.log" >&2 || true
    echo "$test fails with every rule in place: nothing can be said of any" >&2
    exit 1
  fi
done

rules=$(sed -n 's/^ *{ "\([a-z0-9-]*\)", ".*/\1/p' core/check/rule_table.cpp)
unseen=0
count=0
printf '%-28s %s\n' 'rule disabled' 'test that fails'
for rule in $rules; do
  count=$((count + 1))
  by=
  for test in "${tests[@]}"; do
    slot=$(noticed_by "$test" "$rule")
    if [ -n "$slot" ]; then
      by="$test $slot"
      break
    fi
  done
  [ -n "$by" ] || unseen=$((unseen + 1))
  printf '%-28s %s\n' "$rule" "${by:-UNSEEN}"
done
echo "$count rules, $unseen unseen"
[ "$count" -gt 0 ] && [ "$unseen" -eq 0 ]
