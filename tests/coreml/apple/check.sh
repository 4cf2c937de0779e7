#!/bin/sh
# Compiles the Objective-C++ of the backend coreml as for macOS, with Clang and the declarations of this folder: types, nullability,
# and that nothing is newer than the oldest macOS. Exit status 77, with the reason, where that cannot be done.
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
# The C++ and C headers of this system do for a check without code: those of Apple are not to be had. Of GCC, where objc/objc.h is.
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
