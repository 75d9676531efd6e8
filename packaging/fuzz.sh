#!/usr/bin/env bash
# Builds the fuzz targets and runs them for SECONDS in all: bash packaging/fuzz.sh 600 [target …]
# What crashes one is kept in build/fuzz/crashes; corpora grow in build/fuzz/corpus. Fails on any crash, more memory than
# 1 GiB, or an input that takes longer than 20 s.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: fuzz.sh SECONDS [target …]" >&2; exit 2; }
seconds=$1
shift
command -v clang++ >/dev/null || bash "$here/setup.sh"
. "$here/env.sh"
cd "$earwright_root"
cmake --preset fuzz >/dev/null

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for source in tests/fuzz/fuzz_*.cpp; do
    name=${source##*/fuzz_}
    targets+=("${name%.cpp}")
  done
fi
cmake --build --preset fuzz --target "${targets[@]/#/fuzz_}" -- ${EARWRIGHT_JOBS:+-j"$EARWRIGHT_JOBS"}
share=$((seconds / ${#targets[@]}))
[ "$share" -ge 1 ] || share=1
mkdir -p build/fuzz/crashes
failed=()
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/corpus/$target"
  log=build/fuzz/$target.log
  if "build/fuzz/bin/fuzz_$target" -max_total_time="$share" -rss_limit_mb=1024 -timeout=20 -max_len=4096 \
    -dict=tests/fuzz/dictionary.txt -artifact_prefix="build/fuzz/crashes/$target-" -print_final_stats=1 \
    "build/fuzz/corpus/$target" "tests/fuzz/seeds/$target" >"$log" 2>&1; then
    echo "$target: clean, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $share s"
  else
    echo "$target: FAILED, see $log"
    grep -hE '^(property broken|==[0-9]+==ERROR|SUMMARY|.*runtime error)' "$log" || true
    failed+=("$target")
  fi
done
[ ${#failed[@]} -eq 0 ] || { echo "crashes: build/fuzz/crashes (${failed[*]})" >&2; exit 1; }
