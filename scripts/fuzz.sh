#!/bin/sh
# Runs each fuzzer on a copy of its corpus. Stops at the first finding, which lies in build/fuzz/findings.
# usage: fuzz.sh EXECUTIONS [NAME...]
set -eu
runs=$1
shift
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
mkdir -p build/fuzz/findings
[ $# -gt 0 ] || set -- $(ls fuzz/corpus)
for name in "$@"; do
  echo "fuzz: $name, $runs executions"
  work=build/fuzz/corpus/$name
  mkdir -p "$work"
  build/fuzz/fuzz/fuzz_"$name" -runs="$runs" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix=build/fuzz/findings/"$name"- "$work" "fuzz/corpus/$name"
done
