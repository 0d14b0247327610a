#!/usr/bin/env bash
# A disk that is full and one that can't be written: a clear error, an exit code, nothing that
# looks whole but isn't, and a build that goes on when there is room. Needs root, to mount.
#
#     disks.sh XTASK
set -euo pipefail
xtask=$(realpath "$1")
disk=$(mktemp -d)
trap 'umount "$disk" 2>/dev/null || true; rm -rf "$disk" "$disk.err"' EXIT

if ! mount -t tmpfs -o size=8m tmpfs "$disk" 2>"$disk.err"; then
    echo "no tmpfs can be mounted here ($(cat "$disk.err")): full and read-only disks are not tried"
    exit 0
fi

build() {
    "$xtask" build-dataset --tasks maze-2d/reach --tiers easy --count 600 --size 336 --quiet --out "$disk/data" "$@"
}

# Runs a build that has to fail with a message that names the cause.
refused() {
    local cause=$1 code=0
    shift
    build "$@" 2>"$disk.err" || code=$?
    cat "$disk.err"
    [ "$code" = 1 ] || { echo "exit code $code instead of 1" >&2; exit 1; }
    grep -q "$cause" "$disk.err" || { echo "the message does not say: $cause" >&2; exit 1; }
    [ ! -e "$disk/data" ] || { echo "something was published" >&2; exit 1; }
}

echo "-- a full disk"
refused "No space left on device"
grep -q -- "--resume" "$disk.err"
refused "No space left on device" --resume
echo "-- room again"
mount -o remount,size=64m "$disk"
build --resume
"$xtask" verify-dataset "$disk/data" --quiet
cp -r "$disk/data" "$disk/whole"
rm -r "$disk/data"
build
diff -r "$disk/data" "$disk/whole"
rm -r "$disk/data"
echo "-- a disk that can't be written"
mount -o remount,ro "$disk"
refused "Read-only file system"
echo "disks: every error is clear, and what was resumed is whole"
