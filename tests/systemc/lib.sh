# Shared by the suites tests/systemc, tests/tlm and tests/systemc_machines: the library installed in $PREFIX, one for each suite,
# since they run side by side; and tests of the modules in a directory. Needs tests/cli/lib.sh.
# shellcheck shell=sh disable=SC2154 # work, heddle, passed and failed are of tests/cli/lib.sh
build=$(realpath "${BUILD:-build}")
if ! pkg-config --exists systemc; then
  echo '0 passed, 0 failed, 1 skipped: SystemC is not installed'
  exit 0
fi
export SC_OPT="${SC_OPT:--O1}" SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
if [ -z "${INSTALLED:-}" ]; then # by who calls tests/systemc/check
  suite=$(basename "$(dirname "$0")")
  export PREFIX="$build/systemc/$suite.prefix"
  make -s install BUILD="$build" PREFIX="$PREFIX" >/dev/null || { echo '0 passed, 1 failed: make install'; exit 1; }
  export INSTALLED="$PREFIX"
fi
not() { ! "$@"; }

# mk_of DIR TOP [RTL=0]: the make that compiles TOP there, and says the flags
mk_of() { echo "make -s -f $1/heddle_sc.mk TOP=$2 HEDDLE_PREFIX=$PREFIX OPT=$SC_OPT ${3:-}"; }
# shared FROM DIR: what the modules of all machines share is compiled once: DIR gets the objects of FROM, if their sources are the same.
# Make compiles them anew where the settings differ.
sources() { cat "$1"/heddle_*.h "$1"/heddle_*.cpp | cksum; }
shared() {
  [ -f "$1/obj_sc/made_with" ] && [ -f "$1/obj_sc/heddle_all.o" ] && [ "$(sources "$1")" = "$(sources "$2")" ] || return 1
  mkdir -p "$2/obj_sc"
  for kept in made_with verilated_with heddle_all.o verilated.o; do # objects after the settings, so that they are younger
    [ ! -f "$1/obj_sc/$kept" ] || cp "$1/obj_sc/$kept" "$2/obj_sc" || return 1 # without RTL nothing is Verilated
  done
}
# shared_by_any DIR: likewise, of any machine that was compiled with the same settings
shared_by_any() {
  for from in "$build"/systemc/*/obj_sc/made_with; do
    from=${from%/obj_sc/made_with}
    if [ "$from" != "$1" ] && grep -qs -- "^RTL=1 .*$SC_OPT .*-I$PREFIX/include\$" "$from/obj_sc/made_with" &&
      [ -n "$(find "$from/obj_sc" -maxdepth 1 -name 'lib*_sc.a' -newer "$from/obj_sc/made_with")" ]; then # all that it has is of these
      shared "$from" "$1" && return
    fi
  done
}
# checked CONFIG TOP CYCLES SEED: tests/systemc/check; its counts are added
checked() {
  said=$(tests/systemc/check "$@")
  printf '%s %s\n%s\n' "$1" "$2" "$said"
  counts=$(echo "$said" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
  counts=${counts:-0 1}
  passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
}
# compiled NAME MAKE: tests/systemc/NAME.cpp, with the flags that MAKE prints, as $work/NAME
compiled() {
  # shellcheck disable=SC2046 # flags are words
  is "$1 compiles" g++ $($2 cflags) -I. -Wall -Wextra -Werror "tests/systemc/$1.cpp" $($2 libs) -o "$work/$1"
}
# alone NAME MAKE: a test that prints "N passed, N failed"
alone() {
  compiled "$1" "$2"
  "$work/$1" >"$work/out"
  cat "$work/out"
  is "$1" grep -q '^[1-9][0-9]* passed, 0 failed$' "$work/out"
}
# alike NAME ARGUMENTS: $work/NAME is good with each side, and prints the same
alike() {
  name=$1
  shift
  for side in golden rtl both; do
    "$work/$name" $side "$@" >"$work/$name.$side" 2>"$work/err" || { cat "$work/err"; return 1; }
  done
  cat "$work/$name.both"
  cmp "$work/$name.golden" "$work/$name.rtl" && cmp "$work/$name.golden" "$work/$name.both"
}
# platform WORKLOAD CONFIG DIR: examples/systemc on it, with the library that was just made
platform() {
  HEDDLE="$heddle" HEDDLE_PREFIX="$PREFIX" OPT="$SC_OPT" examples/systemc/run "$2" "$1" "$3" >"$work/out" 2>"$work/err"
}
# platform_checks WORKLOAD: it did, and checked all
platform_checks() {
  cat "$work/out"
  is 'lines are read and written, all answers are checked' grep -q "^$1: cycles [1-9].* reads [1-9].* writes [1-9].* checked [1-9]" "$work/out"
}
# l2_test MAKE SIDES CYCLES: tests/systemc/l2.cpp with these sides; hashes are equal
l2_test() {
  compiled l2 "$1"
  : >"$work/l2_said"
  for side in $2; do
    is "l2 $side" sh -c "'$work/l2' $side $3 1 >>'$work/l2_said'"
  done
  cat "$work/l2_said"
  is 'the same answers at the same times' test "$(sed -n 's/.*hash \([0-9a-f]*\):.*/\1/p' "$work/l2_said" | sort -u | wc -l)" = 1
}
# l1_lt_test MAKE: the second memory is so fast that prefetches are sent when the load has been answered
l1_lt_test() {
  compiled l1_lt "$1"
  is 'the LT model of the L1' "$work/l1_lt" 1500 1 200
  is 'the LT model of the L1, a fast memory' "$work/l1_lt" 1500 2 20
}
