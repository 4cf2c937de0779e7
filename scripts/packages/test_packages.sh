#!/bin/sh
# Tests the .deb and the .tar.gz of `make package` in a bare Debian (scripts/in_debian.sh) in build/bare/SUITE: installs each
# without a compiler, uses the tool, and builds programs with the library. Checks that removing the .deb leaves no files, and that
# the unpacked archive still works after it was moved.
# usage: test_packages.sh SUITE... (bookworm, trixie; as root)
set -eu
cd "$(dirname "$0")/../.."

inside() { scripts/in_debian.sh "$suite" "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
packages() { inside sh -c "apt-get $* >/dev/null 2>/tmp/apt.log || { cat /tmp/apt.log; exit 1; }"; }
expect() {  # expect PATTERN COMMAND...
  pattern=$1
  shift
  output=$(inside "$@" 2>&1) || { echo "$suite: $* failed: $output" >&2; exit 1; }
  echo "$output" | grep -q "$pattern" || { echo "$suite: $* printed: $output" >&2; exit 1; }
}

use() {  # use PREFIX: runs the examples with the tool in PREFIX
  expect 'Permission' sh -c "cd $1/share/doc/webnn/licences &&
    cat libcapnp.txt libcli11-dev.txt libfmt-dev.txt libhwy-dev.txt libmd.txt libprotozero-dev.txt libseccomp.txt libstb-dev.txt nlohmann-json3-dev.txt"
  expect '7' "$1/bin/webnn" run /srv/digits/digits.webnn --image image=/srv/digits/samples/7.png --top 1 --labels /srv/digits/labels.txt
  expect 'cpu' "$1/bin/webnn" info
  expect '^<!doctype html>' "$1/bin/webnn" view /srv/digits/digits.webnn -o -
  expect '^OK' env WEBNN_SERVICE=private "$1/bin/webnn" check /srv/digits/digits.webnn
  [ ! -d "$root/srv/squeezenet1.1" ] ||
    expect 'panda' "$1/bin/webnn" run /srv/squeezenet1.1/squeezenet1.1.onnx --image /srv/squeezenet1.1/photo.jpg --preset imagenet \
      --top 1 --labels /srv/squeezenet1.1/imagenet_classes.txt
}

build_against() {  # build_against PREFIX
  inside rm -rf /tmp/consumer
  packages install -y -qq --no-install-recommends g++ cmake make pkgconf
  expect 'Built target' sh -c "cmake -S /srv/tests/consumer -B /tmp/consumer -DCMAKE_PREFIX_PATH=$1 && cmake --build /tmp/consumer"
  expect '^0 3 0' /tmp/consumer/consumer
  expect '^0 3 0' /tmp/consumer/consumer_c
  expect '' sh -c "export PKG_CONFIG_PATH=$1/lib/pkgconfig; g++ /srv/examples/relu/relu.cpp -o /tmp/consumer/pc \$(pkg-config --cflags --libs webnn) -Wl,-rpath,$1/lib"
  expect '^0 3 0' /tmp/consumer/pc
}

for suite in "$@"; do
  root=build/bare/$suite
  mkdir -p build/bare
  inside true
  rm -rf "$root/srv" "$root/tmp"/* "$root/opt"/*
  mkdir -p "$root/srv/tests" "$root/srv/examples"
  cp -r examples/digits "$root/srv/digits"
  cp -r examples/relu examples/c "$root/srv/examples"
  cp -r tests/consumer "$root/srv/tests"
  [ ! -d ../shared/models/squeezenet1.1 ] || cp -rL ../shared/models/squeezenet1.1 "$root/srv"
  packages update -qq
  inside dpkg --purge webnn >/dev/null 2>&1 || true
  packages purge -y -qq g++ cmake make pkgconf
  packages autoremove -y -qq --purge

  cp dist/webnn_*.deb "$root/srv/webnn.deb"
  start=$(date +%s%N)
  packages install -y -qq --no-install-recommends /srv/webnn.deb
  seconds=$(awk "BEGIN { printf \"%.1f\", ($(date +%s%N) - $start) / 1e9 }")
  use /usr
  expect 'webnn' ldconfig -p
  build_against /usr
  packages purge -y -qq webnn g++ cmake make pkgconf
  left=$(inside find / -xdev -iname '*webnn*' -not -path '/srv/*' -not -path '/proc/*' -not -path '/tmp/*' -not -path '/var/*')
  [ -z "$left" ] || { echo "$suite: the package leaves: $left" >&2; exit 1; }

  inside rm -rf /tmp/consumer
  mkdir -p "$root/opt/first"
  tar -xzf dist/webnn-*-linux-*.tar.gz -C "$root/opt/first" --strip-components=1
  packages install -y -qq --no-install-recommends libstdc++6
  use /opt/first
  mv "$root/opt/first" "$root/opt/second"
  use /opt/second
  build_against /opt/second
  echo "$suite: webnn.deb (installed in $seconds s) and the archive work"
done
