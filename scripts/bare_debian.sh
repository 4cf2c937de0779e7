#!/bin/sh
# The README's two commands on a bare Debian, in a chroot that is made in DIR or was left there; their output is in DIR.*.log.
# usage: bare_debian.sh bookworm|trixie gcc|clang DIR    (as root; installs debootstrap)
set -eu
suite=$1 compiler=$2 root=$3
[ "$(id -u)" = 0 ] || { echo "bare_debian: debootstrap needs root." >&2; exit 1; }
command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
mkdir -p "$(dirname "$root")"
[ -d "$root/srv" ] || debootstrap --variant=minbase "$suite" "$root" >"$root.debootstrap.log"

unmount() {  # also what an interrupted run left
  for place in dev sys proc; do
    while umount -R "$root/$place" 2>/dev/null; do :; done
  done
}
unmount
trap unmount EXIT
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
mount -t sysfs sys "$root/sys"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# What the host trusts, so that pip and npm work there as they do here.
for file in ${SSL_CERT_FILE:-} ${PIP_CERT:-} ${NODE_EXTRA_CA_CERTS:-}; do install -D -m 644 "$file" "$root$file"; done

packages="git make ca-certificates" cxx=g++
[ "$compiler" = gcc ] || packages="$packages clang" cxx=clang++
chroot "$root" sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages" \
  >"$root.packages.log" 2>&1
rm -rf "$root/srv/project"
git clone -q "$(git -C "$(dirname "$0")" rev-parse --show-toplevel)" "$root/srv/project"
for target in demo test; do
  chroot "$root" env CXX=$cxx make -C /srv/project $target >"$root.$compiler.$target.log" 2>&1 ||
    { echo "$suite, $compiler: make $target failed: $root.$compiler.$target.log"; exit 1; }
done
echo "$suite, $compiler: make demo and make test pass"
