#!/usr/bin/env bash
# start_bench.sh PTO MAKE_SOURCE: the median time of `pto check` as a whole process, for the first
# example and for generated texts of growing size.
set -euo pipefail

pto=$1
make_source=$2
runs=50
example=$(dirname "${BASH_SOURCE[0]}")/../examples/01-put-and-notify/put_and_notify.pto

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# time_once FILE: microseconds of one run. A text that is refused would be measured for nothing.
time_once() {
  local begin=${EPOCHREALTIME/[.,]/}
  "$pto" check "$1" >/dev/null
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
printf '%12s  %s us  (the first example)\n' "$(stat -c %s "$example")" "$(median "$example")"
for bytes in 65536 1048576 4194304; do
  "$make_source" "$bytes" >"$folder/bench.pto"
  printf '%12s  %s us\n' "$(stat -c %s "$folder/bench.pto")" "$(median "$folder/bench.pto")"
done
