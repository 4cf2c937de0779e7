#!/bin/sh
# Installs missing Debian packages that the build needs. Prints nothing if none is missing.
# usage: setup.sh [clang|tidy|protobuf|arm64|bits32|browsers|abi|docs|cross|arm-packages]
set -eu

packages="g++ cmake ninja-build ccache pkg-config python3 python3-dev python3-venv libfmt-dev nlohmann-json3-dev libcli11-dev libprotozero-dev capnproto libcapnp-dev libseccomp-dev libmd-dev libhwy-dev libstb-dev libgtest-dev librapidcheck-dev libbenchmark-dev mandoc bsdextrautils bsdutils mesa-vulkan-drivers"
# Boost.PFR needs Boost 1.75; Debian 12's default is 1.74.
if grep -qs '^VERSION_ID="12"' /etc/os-release; then
  packages="$packages libboost1.81-dev"
else
  packages="$packages libboost-dev"
fi
[ "${1:-}" = clang ] && packages="$packages clang libclang-rt-dev"
[ "${1:-}" = protobuf ] && packages="$packages protobuf-compiler libprotobuf-dev"
# clang-tidy has the same version on all systems, because each version reports different findings.
[ "${1:-}" = tidy ] && packages="$packages clang-19 clang-tidy-19"
[ "${1:-}" = arm64 ] && packages="$packages g++-aarch64-linux-gnu qemu-user-static libfmt-dev:arm64 libgtest-dev:arm64 librapidcheck-dev:arm64"
[ "${1:-}" = bits32 ] && packages="$packages g++-multilib libfmt-dev:i386 libgtest-dev:i386 librapidcheck-dev:i386"
[ "${1:-}" = abi ] && packages="$packages abigail-tools"
[ "${1:-}" = browsers ] && packages="$packages firefox-esr webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb"
[ "${1:-}" = docs ] && packages="$packages doxygen"
[ "${1:-}" = cross ] && packages="$packages wine wine64 qemu-user-static"
[ "${1:-}" = arm-packages ] && packages="$packages llvm qemu-user-static debootstrap python3-pip" # LLVM's strip knows all processors

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "setup: apt-get is not here; install what matches these Debian packages:$missing" >&2
  exit 1
fi
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
echo "setup: installing$missing"
[ "${1:-}" != arm64 ] || $sudo dpkg --add-architecture arm64
[ "${1:-}" != bits32 ] || $sudo dpkg --add-architecture i386
$sudo apt-get update -qq || echo "setup: not all indexes of packages are up to date"
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
