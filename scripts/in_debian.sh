#!/bin/sh
# Runs a command in a bare Debian, which is a chroot in ROOT. ROOT is created if it does not exist, and is kept. Mounts end with
# the command. The folders of BIND have the same paths in the chroot as outside.
# usage: [BIND=FOLDER:...] in_debian.sh bookworm|trixie|testing ROOT COMMAND...    (as root; installs debootstrap)
set -eu
suite=$1 root=$(realpath -m "$2")
shift 2
[ "$(id -u)" = 0 ] || { echo "in_debian: debootstrap needs root." >&2; exit 1; }
if [ ! -d "$root/etc" ]; then
  command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
  rm -rf "$root.new"  # remains from a run that was interrupted
  mkdir -p "$root.new"
  unshare --mount --propagation private debootstrap --variant=minbase "$suite" "$root.new" >"$root.debootstrap.log"
  mv -T "$root.new" "$root"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# Copies this system's certificates, so that pip and npm work in the chroot as they do here.
for file in ${SSL_CERT_FILE:-} ${PIP_CERT:-} ${NODE_EXTRA_CA_CERTS:-}; do install -D -m 644 "$file" "$root$file"; done
exec unshare --mount --propagation private sh -c '
  root=$1 && shift
  mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" || exit
  IFS=:
  for folder in ${BIND:-}; do mkdir -p "$root$folder" && mount --bind "$folder" "$root$folder" || exit; done
  exec chroot "$root" env HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"' sh "$root" "$@"
