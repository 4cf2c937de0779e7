#!/bin/sh
# Runs each fuzzer on its seeds and on the corpus that earlier runs kept. Stops at the first finding, which is saved in
# build/fuzz/findings. With KEEP=1, replaces the kept corpus, fuzz/corpus/NAME.tar.xz, by fewer inputs that reach the same code as
# the seeds, the kept corpus and the new inputs together.
# usage: fuzz.sh EXECUTIONS [NAME...]
set -eu
runs=$1
shift
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
mkdir -p build/fuzz/findings
[ $# -gt 0 ] || set -- $(cd fuzz/corpus && ls -d */ | tr -d /)
for name in "$@"; do
  echo "fuzz: $name, $runs executions"
  fuzzer=build/fuzz/fuzz/fuzz_$name
  work=build/fuzz/corpus/$name
  kept=fuzz/corpus/$name.tar.xz
  mkdir -p "$work"
  [ ! -f "$kept" ] || tar -xJf "$kept" -C "$work"
  # -entropic=0 turns off entropic scheduling, which would take four fifths of the time of fuzzers with many features.
  "$fuzzer" -runs="$runs" -entropic=0 -max_len=512 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix=build/fuzz/findings/"$name"- "$work" "fuzz/corpus/$name"
  if [ "${KEEP:-}" = 1 ]; then
    least=build/fuzz/least/$name
    rm -rf "$least" && mkdir -p "$least"
    "$fuzzer" -merge=1 "$least" "$work" "fuzz/corpus/$name" 2>/dev/null
    tar -cJf "$kept" --sort=name --owner=0 --group=0 --mtime=@0 -C "$least" .
  fi
done
