#!/bin/sh
# Compares the CPU engine with the reference on random graphs, with every instruction set of this machine, one and two threads.
# usage: nightly.sh WEBNN COUNT [SEED]
set -eu
webnn=$1 count=$2 seed=${3:-1}
status=0
for isa in sse4 avx2 avx512 amx-emulated amx; do
  first=$("$webnn" diff --random 1 --backends reference,cpu --backend-option isa=$isa 2>&1) || true
  case $first in
    *"this processor has no"*) echo "$isa: skipped, as this processor lacks it"; continue ;;
  esac
  for threads in 1 2; do
    echo "$isa, threads $threads: $("$webnn" diff --random "$count" --seed "$seed" --backends reference,cpu --backend-option isa=$isa --threads $threads)" || status=1
  done
done
exit $status
