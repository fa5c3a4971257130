#!/usr/bin/env bash
# collectives.sh PTO: tables for docs/collectives.md, the virtual time of one call in microseconds by
# engine, algorithm, number of ranks and bytes of a member's vector.
set -euo pipefail

pto=$1
program=$(dirname "${BASH_SOURCE[0]}")/collectives.pto
ranks=(2 4 8 16)
elements=(256 4096 65536)

# times ENGINE RANKS N CALLS: lines "algorithm picoseconds".
times() {
  "$pto" test "$program" --filter "$1 " --ranks "$2" -D "N=$3" -D "CALLS=$4" --no-audit --format json |
    awk -F'"' '/"name":/ { split($4, words, " "); name = words[2] }
               /"time_ps":/ { gsub(/[^0-9]/, "", $3); print name, $3 }
               /"verdict": "(findings|failed)"/ { exit 1 }'
}

# column ENGINE RANKS N: lines "algorithm microseconds" of a call without its barrier.
column() {
  join <(times "$1" "$2" "$3" 1 | sort) <(times "$1" "$2" "$3" 3 | sort) |
    awk '{ call[$1] = ($3 - $2) / 2e6 }
         END { for (name in call)
                 print name, name == "barrier" ? call[name] : call[name] - call["barrier"] }' |
    sort
}

for engine in SDMA MTE URMA; do
  table=$(column "$engine" "${ranks[0]}" "${elements[0]}" | cut -d' ' -f1)
  head="| $engine |" rule="| --- |"
  for n in "${elements[@]}"; do
    for p in "${ranks[@]}"; do
      head+=" $((n * 4 / 1024)) KiB, $p |" rule+=" ---: |"
      table=$(join <(echo "$table") <(column "$engine" "$p" "$n"))
    done
  done
  printf '%s\n%s\n' "$head" "$rule"
  awk '{ row = "| `" $1 "` |"
         for (i = 2; i <= NF; i++)
           row = row sprintf($i < 100 ? " %.1f |" : " %.0f |", $i)
         print row }' <<<"$table"
  echo
done
