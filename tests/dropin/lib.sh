# shellcheck shell=sh
# What the tests of drop-ins share. Read it with `.` after tests/cli/lib.sh, from the top of the tree.

# bench CONFIG MODULE: generated, compiled and run under Icarus; its output is $work/said
bench() {
  dir=$work/$(echo "$1" | tr / _)-$2
  "$heddle" gen -c "$1" -t "$2" --testbench -o "$dir" >"$work/gen" 2>&1 || { cat "$work/gen"; return 1; }
  (cd "$dir" && iverilog -g2005 -s "tb_$2" -o tb.vvp -c "$2.f" "tb_$2.v" && vvp tb.vvp) >"$work/said" 2>&1
}
# passes CONFIG MODULE: it compares something, and passes
passes() {
  is "test bench of $2, $1" bench "$1" "$2"
  is "test bench of $2, $1: $(tail -1 "$work/said")" grep -Eq "^PASS: tb_$2: [1-9][0-9]* values in 1000 cycles compared, all equal$" "$work/said"
}

# dropin CONFIG NAME TOP: by its name, that is TOP
dropin() {
  passes "$1" "$3"
  is "$2 of $1 means $3" "$heddle" gen -c "$1" -t "$2" -o "$work/short" >/dev/null
  is "$2 of $1 is the same" cmp -s "$work/short/$3.v" "$dir/$3.v"
  (cd "$dir" && verilator --lint-only -Wall -F "$3.f" --top-module "$3") >"$work/said" 2>&1
  is "lint of $3, $1" test $? = 0 -a ! -s "$work/said"
}

# user_bits DIRECTORY CYCLES: tests/dropin/user_bits.v with the memsched that is there; what it says is $work/said
user_bits() {
  iverilog -g2005 -Puser_bits.CYCLES="$2" -s user_bits -o "$work/bits.vvp" "$1"/*.v tests/dropin/user_bits.v && vvp "$work/bits.vvp" >"$work/said"
}
