#!/bin/sh
# Builds the wheels of the Python package for Linux into dist/: for Python 3.11, and with the stable ABI for 3.12 and newer. Zig's
# compiler (scripts/setup/setup_zig.sh) links all but glibc, so the wheels run with glibc 2.28 or newer. The same commit gives the same
# bytes. Also builds the wheel webnn-onnxruntime, which has no native code. Wheels for another PROCESSOR are built with the
# headers of this machine's Python: pyconfig.h is the same on all 64-bit processors.
# usage: build_wheels.sh [PROCESSOR]    (this machine's, x86_64, aarch64)
set -eu
cd "$(dirname "$0")/../.."
processor=${1:-$(uname -m)}
requirements=bindings/python/wheel-requirements.txt
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
scripts/setup/setup_zig.sh
# Tells scikit-build-core the platform tag of the target. SETUPTOOLS_EXT_SUFFIX below is the suffix of a module's file name.
[ "$processor" = "$(uname -m)" ] || export _PYTHON_HOST_PLATFORM="linux-$processor"

# wheel PYTHON VERSION: builds the wheel for one Python. $tools is a virtual environment of this Python with the build tools.
wheel() {
  python=$1 tools=build/wheel-tools/$2
  if ! cmp -s $requirements "$tools/requirements.txt"; then
    rm -rf "$tools"
    "$python" -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement $requirements
    cp $requirements "$tools/requirements.txt"
  fi
  log=build/wheel-$2-$processor.log
  [ "$processor" = "$(uname -m)" ] || export SETUPTOOLS_EXT_SUFFIX=".cpython-$(echo "$2" | tr -d .)-$processor-linux-gnu.so"
  echo "wheel: building for $processor with Python $2"
  # The build directory has the same depth as build/release, so that ccache shares the objects that wheels have in common.
  PATH=$PWD/$tools/bin:$PATH "$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index \
    --wheel-dir build/wheels ./bindings/python \
    -C wheel.py-api=cp312 -C build-dir="../../build/zig-{wheel_tag}" -C build.targets=_webnn \
    -C cmake.define.CMAKE_TOOLCHAIN_FILE="$PWD/cmake/zig.cmake" -C cmake.define.CMAKE_CXX_COMPILER="$PWD/build/zig/bin/clang++" \
    -C cmake.define.WEBNN_ZIG_TARGET="$processor-linux-gnu.2.28" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
}

rm -rf build/wheels dist/webnn-*_"$processor".whl dist/webnn_onnxruntime-*.whl
mkdir -p dist
tools=""
if python=$(scripts/find_python.sh 3.11); then
  wheel "$python" 3.11
else
  echo "wheel: there is no Python 3.11, so no wheel for it"
fi
for version in 3.12 3.13 3.14; do
  python=$(scripts/find_python.sh $version) || continue
  wheel "$python" $version
  break
done
[ -n "$tools" ] || { echo "wheel: no Python from 3.11 to 3.14 is here" >&2; exit 1; }
# auditwheel takes the processor of a wheel from platform.machine(), so replace that function.
PATH=$PWD/$tools/bin:$PATH "$tools/bin/python" -c '
import platform, sys
from auditwheel.main import main
processor = sys.argv.pop(1)
platform.machine = lambda: processor
main()' "$processor" repair --plat "manylinux_2_28_$processor" --wheel-dir dist build/wheels/*.whl \
  >build/auditwheel.log 2>&1 || { cat build/auditwheel.log >&2; exit 1; }
"$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index --wheel-dir dist \
  ./bindings/python/onnxruntime
PATH=$PWD/$tools/bin:$PATH "$tools/bin/python" scripts/packages/check_wheels.py dist/webnn-*_"$processor".whl dist/webnn_onnxruntime-*.whl
