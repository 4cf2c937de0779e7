#!/bin/sh
# Runs the README's commands `make demo` and `make test` on a bare Debian (scripts/in_debian.sh). Their output is in DIR.*.log.
# usage: bare_debian.sh bookworm|trixie gcc|clang DIR    (as root)
set -eu
suite=$1 compiler=$2 root=$3
inside() { "$(dirname "$0")/in_debian.sh" "$suite" "$root" "$@"; }

packages="git make ca-certificates" cxx=g++
[ "$compiler" = gcc ] || packages="$packages clang" cxx=clang++
mkdir -p "$(dirname "$root")"
inside sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends $packages" >"$root.packages.log" 2>&1
rm -rf "$root/srv/project"
git clone -q "$(git -C "$(dirname "$0")" rev-parse --show-toplevel)" "$root/srv/project"
for target in demo test; do
  inside env CXX=$cxx make -C /srv/project $target >"$root.$compiler.$target.log" 2>&1 ||
    { echo "$suite, $compiler: make $target failed: $root.$compiler.$target.log"; exit 1; }
done
echo "$suite, $compiler: make demo and make test pass"
