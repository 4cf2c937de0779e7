#!/bin/sh
# Compiles the Objective-C++ of the backend coreml for macOS, with Clang and the declarations of Apple's API in this directory.
# Checks types, nullability, and that no API is newer than the oldest supported macOS. Exit status 77, with the reason, if this is
# impossible.
# usage: check.sh CXX
set -eu
cd "$(dirname "$0")/../../.."
clang="$1"
if ! command -v "$clang" >/dev/null; then
  echo "skipped: there is no Clang (scripts/setup/setup.sh clang)"
  exit 77
fi
if [ "$(uname)" != Linux ]; then
  echo "skipped: it is compiled here already"
  exit 77
fi
# Apple's C and C++ headers are not available. This system's headers suffice, because no code is generated. objc/objc.h is in
# GCC's directory.
folders=$(echo | "$clang" -x objective-c++ -E -v - 2>&1 | sed -n '/^#include <...> search starts here:/,/^End of search list/s/^ \(\/.*\)/-isystem \1/p')
gcc=$(dirname "$("$clang" --target="$("$clang" -dumpmachine)" -print-file-name=libobjc.so)")
if [ ! -f "$gcc/include/objc/objc.h" ]; then
  echo "skipped: there is no objc/objc.h (the package libobjc-dev of Clang's GCC)"
  exit 77
fi
for version in 13.0 15.0; do
  # shellcheck disable=SC2086
  "$clang" --target=x86_64-apple-macos$version -fsyntax-only -x objective-c++ -std=c++20 -fblocks -fobjc-exceptions -fno-objc-arc \
    -D_GNU_SOURCE -U__nonnull -DWEBNN_COREML -Wall -Wextra -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers \
    -Wunguarded-availability -Wnullable-to-nonnull-conversion -Wobjc-method-access -Werror -nostdinc -nostdinc++ \
    -isystem tests/coreml/apple $folders -idirafter "$gcc/include" -Isrc -Iinclude src/backends/coreml/framework.mm
done
