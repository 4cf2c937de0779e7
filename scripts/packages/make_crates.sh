#!/bin/sh
# Packs the crates webnn-sys and webnn into dist/crates, then builds the packed crates in an empty project and runs the program of
# the crate's README there. The packed webnn-sys contains the sources of libwebnn and the headers that they need, with their
# licences, so that its feature `bundled` needs only CMake and a C++ compiler. The check also hides the headers of this system if
# it runs as root.
# usage: make_crates.sh [--no-check]
set -eu
cd "$(dirname "$0")/../.."
root=$PWD stage=$PWD/build/crates/stage check=$PWD/build/crates/check log=$PWD/build/crates.log

# Stage the workspace. cargo packs no file outside the folder of a crate.
rm -rf "$stage" "$check"
mkdir -p "$stage" "$check" dist/crates
git ls-files -z bindings/rust | tar --null -cT - | tar -x --strip-components=2 -C "$stage"
rm -r "$stage/.cargo"
sources=$stage/webnn-sys/libwebnn
mkdir -p "$sources/headers/licences"
git ls-files -z CMakeLists.txt LICENSE src include cmake | tar --null -cT - | tar -xC "$sources"
for package in libfmt-dev:fmt libhwy-dev:hwy nlohmann-json3-dev:nlohmann libprotozero-dev:protozero; do
  cp -rL "/usr/include/${package#*:}" "$sources/headers/"
  cp "/usr/share/doc/${package%:*}/copyright" "$sources/headers/licences/${package#*:}.txt"
done
rm -rf "$sources/headers/hwy/contrib/sort" "$sources/headers/hwy/contrib/image" "$sources/headers/hwy/tests"  # not used
cp LICENSE "$stage/webnn-sys/"
cp LICENSE "$stage/webnn/"
# Without `include`, cargo would ask git for the list of files.
sed -i '/^links = /a include = ["/src/**", "/build.rs", "/LICENSE", "/libwebnn/**"]' "$stage/webnn-sys/Cargo.toml"
# The tests and two examples need files of the repository.
sed -i '/^readme = /a include = ["/src/**", "/README.md", "/LICENSE", "/examples/run_model.rs"]' "$stage/webnn/Cargo.toml"
sed -i '/^\[\[example\]\]$/{N;/"digits"\|"generate"/d}' "$stage/webnn/Cargo.toml"
(cd "$stage" && cargo package --workspace --exclude webnn-examples --no-verify --quiet) >"$log" 2>&1 || { cat "$log"; exit 1; }
rm -f dist/crates/*.crate
cp "$stage"/target/package/*.crate dist/crates/
ls -l dist/crates/*.crate | awk '{print $5, $9}'
[ "${1:-}" = --no-check ] && exit

# Use the packed crates as a new user does. The entry [patch] stands for a registry.
for crate in dist/crates/*.crate; do tar -xf "$crate" -C "$check"; done
version=$(sed -n 's/^version = "\(.*\)"/\1/p' bindings/rust/Cargo.toml)
cargo new --quiet "$check/app"
cd "$check/app"
cat >>Cargo.toml <<END
webnn = { version = "$version", features = ["bundled"] }
[patch.crates-io]
webnn = { path = "../webnn-$version" }
webnn-sys = { path = "../webnn-sys-$version" }
END
awk '/^```rust/ { inside = 1; next } /^```/ { inside = 0 } inside' "$root/bindings/rust/webnn/README.md" >src/main.rs
hide=
if [ "$(id -u)" = 0 ]; then
  hide='for name in fmt hwy nlohmann protozero; do mount -t tmpfs none /usr/include/$name; done;'
fi
echo "make_crates: building the packed crates in an empty project (build/crates.log)"
start=$(date +%s)
run="$hide env -u WEBNN_LIB_DIR -u WEBNN_SOURCE_DIR PKG_CONFIG=/nowhere cargo run && times"
${hide:+unshare --mount --propagation private} sh -ec "$run" >>"$log" 2>&1 || { tail -30 "$log"; exit 1; }
echo "make_crates: the README's program runs on the packed crates after $(($(date +%s) - start)) s; CPU time of the commands:"
tail -1 "$log"
echo "1 passed, 0 failed"
