#!/bin/sh
# A tree of Debian's packages for another architecture, unpacked in a folder: nothing is installed.
# sysroot.sh ARCHITECTURE FOLDER PACKAGE...
set -eu
arch=$1
mkdir -p "$2/apt/lists/partial" "$2/apt/archives/partial"
dir=$(cd "$2" && pwd)
shift 2
: > "$dir/apt/status"
get() {
	apt-get -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root \
		-o Dir::State="$dir/apt" -o Dir::State::status="$dir/apt/status" -o Dir::Cache="$dir/apt" "$@"
}
get update
get install -y --download-only --no-install-recommends "$@" > /dev/null
for deb in "$dir"/apt/archives/*.deb; do
	dpkg-deb -x "$deb" "$dir"
done
rm -r "$dir/apt"
find "$dir" -type l -lname '/*' | while IFS= read -r link; do
	ln -sfnr "$dir$(readlink "$link")" "$link"
done
