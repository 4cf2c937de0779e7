#!/bin/sh
# Runs what the preset arm64 has built in QEMU: tests, the conformance vectors and COUNT random graphs, as processors
# that multiply bytes in different ways: cortex-a57 has plain NEON, neoverse-n1 dotprod, max i8mm (and all that QEMU has). Tests
# run on all levels of the engine that it has, vectors and random graphs on the best.
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
  seed=$((seed + count))  # other graphs for each
done
exit $status
