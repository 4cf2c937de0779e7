#!/bin/sh
# Runs in QEMU the programs that the preset arm64 has built: the tests, the conformance vectors and COUNT random graphs. QEMU
# emulates processors with different instructions for products of bytes: cortex-a57 has plain NEON, neoverse-n1 has dotprod, and
# max has i8mm and everything else that QEMU supports. Tests run at all instruction levels of the engine that the processor has;
# vectors and random graphs run at the best level.
# usage: arm.sh COUNT [PROCESSOR...]
set -u
count=$1
shift
build=build/arm64 vectors=../shared/wpt status=0
[ $# -gt 0 ] || set -- cortex-a57 neoverse-n1 max
webnn() { qemu-aarch64-static $build/tools/cli/webnn "$@"; }
seed=1
for processor; do
  export QEMU_CPU=$processor
  echo "$processor:"
  ctest --preset arm64 -R '^(base|ops|reference|context|cpu)\.' --quiet --output-log $build/tests-$processor.log || status=1
  grep -E 'tests passed|Failed|Timeout|Skipped|Exception' $build/tests-$processor.log
  if [ -d $vectors ]; then
    webnn conformance $vectors --expectations tests/cli/wpt_expectations.json --list-failures --quiet || status=1
  else
    echo "no vectors in $vectors"
  fi
  webnn diff --random "$count" --seed $seed --backends reference,cpu --failures build/random/$processor || status=1
  seed=$((seed + count))  # makes different graphs for each processor
done
exit $status
