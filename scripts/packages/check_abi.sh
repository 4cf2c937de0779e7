#!/bin/sh
# Compares the ABI of libwebnn_c with the ABI of the last release, packaging/abi/libwebnn_c.abi. New functions are allowed.
# Nothing may be removed or changed unless SOVERSION rises. With --record, the ABI of this build replaces the recorded one.
set -eu
cd "$(dirname "$0")/../.."
scripts/setup/setup.sh abi
record=packaging/abi/libwebnn_c.abi
cmake -S . -B build/abi -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DWEBNN_ABI=ON -DWEBNN_BUILD_TESTS=OFF \
  -DWEBNN_BUILD_CLI=OFF >/dev/null
cmake --build build/abi --target webnn_c
library=$(readlink -f build/abi/src/capi/libwebnn_c.so)
abidw --suppressions packaging/abi/suppressions.ini --headers-dir include/webnn --drop-private-types --exported-interfaces-only \
  --no-corpus-path --no-comp-dir-path --no-show-locs "$library" >build/abi/libwebnn_c.abi
if [ "${1:-}" = --record ]; then
  mkdir -p "$(dirname "$record")"
  cp build/abi/libwebnn_c.abi "$record"
  echo "check_abi: $record is this build's"
  exit
fi
abidiff --no-added-syms "$record" build/abi/libwebnn_c.abi ||
  { echo "check_abi: not what the last release has: undo it, or raise SOVERSION and call this with --record" >&2; exit 1; }
echo "check_abi: compatible with the last release"
