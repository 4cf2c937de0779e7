#!/bin/sh
# Compares the CPU engine with the reference backend on random graphs, with every instruction set of this machine. Graphs with
# different results are reduced and kept in build/random. Results with one thread and with two must be equal to the bit.
# usage: nightly.sh WEBNN COUNT [SEED]
set -eu
webnn=$1 count=$2 seed=${3:-1}
status=0
for isa in sse4 avx2 avx2,-vnni avx512 avx512,-vnni avx512,-vbmi amx-emulated amx amx-always neon dotprod i8mm; do
  first=$("$webnn" diff --random 1 --backends reference,cpu --backend-option isa=$isa 2>&1) || true
  case $first in
    *"this processor has no"*) echo "$isa: skipped, as this processor lacks it"; continue ;;
  esac
  echo "$isa: $("$webnn" diff --random "$count" --seed "$seed" --backends reference,cpu --backend-option isa=$isa --failures build/random/$isa)" || status=1
  seed=$((seed + count))  # makes different graphs for each instruction set
done
exit $status
