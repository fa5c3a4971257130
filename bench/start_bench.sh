#!/usr/bin/env bash
# start_bench.sh PTO MAKE_SOURCE: the median time of `pto check` as a whole process, by size of text.
set -euo pipefail

pto=$1
make_source=$2
runs=50

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# time_once FILE: microseconds of one run.
time_once() {
  local begin=${EPOCHREALTIME/[.,]/}
  "$pto" check "$1" >/dev/null 2>&1 || true
  echo $((${EPOCHREALTIME/[.,]/} - begin))
}

# median FILE: of all runs, after one that warms the caches.
median() {
  local i
  time_once "$1" >/dev/null
  for ((i = 0; i < runs; i++)); do
    time_once "$1"
  done | sort -n | sed -n "$((runs / 2 + 1))p"
}

printf '%12s  %s\n' bytes "median of $runs runs of pto check"
for bytes in 1 65536 1048576; do
  "$make_source" "$bytes" >"$folder/bench.pto"
  printf '%12s  %s us\n' "$(stat -c %s "$folder/bench.pto")" "$(median "$folder/bench.pto")"
done
