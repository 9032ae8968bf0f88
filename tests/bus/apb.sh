# shellcheck shell=sh disable=SC2154 # work, heddle, python and venv are of tests/bus/run
# Part of tests/bus/run: the control registers under their protocol checker, against the map that PeakRDL reads from
# apb_regs.rdl, and what peakrdl makes of that. Planted faults must be found.
"$heddle" gen -c apb -t apb_regs -o "$work/apb" >"$work/log" || cat "$work/log"

# apb_proof DIRECTORY CYCLES: whether a rule of the completer can be broken in so many cycles, by a requester that keeps its own
apb_proof() {
  yosys -q -p "read_verilog -formal -DFORMAL $1/*.v verif/apb/apb_protocol.v tests/bus/apb_checked.v; prep -flatten -top apb_checked; delete -port apb_checked/o:*
    async2sync; memory_map; opt -full; setundef -anyseq -undriven; opt; dffunmap; techmap; opt; dffunmap; abc -g AND -fast
    opt_clean; write_aiger -I $work/apb.aig" >"$work/log" 2>&1 &&
    yosys-abc -c "read_aiger $work/apb.aig; fold; strash; scorr; dc2; bmc3 -F $2" >"$work/proof" 2>&1
  cat "$work/log" >>"$work/proof"
}
# apb_fault NAME SED: a copy of the Verilog with a fault, in $work/apb_NAME
apb_fault() {
  rm -rf "${work:?}/apb_$1" && cp -r "$work/apb" "$work/apb_$1"
  sed "$2" "$work/apb/apb_regs.v" >"$work/apb_$1/apb_regs.v"
  is "the fault $1 is planted" sh -c "! cmp -s $work/apb/apb_regs.v $work/apb_$1/apb_regs.v"
}

is 'the checker and its top are clean' verilator --lint-only -Wall -Wno-DECLFILENAME --top-module apb_checked "$work"/apb/*.v verif/apb/apb_protocol.v \
  tests/bus/apb_checked.v
frames=$(if [ "${FAULTS:-1}" = 1 ]; then echo 12; else echo 20; fi)
apb_proof "$work/apb" "$frames"
is "no rule of APB can be broken in $frames cycles" grep -q "No output asserted in $frames frames" "$work/proof"
# apb_proved NAME SED: a fault that the proof must find
apb_proved() {
  apb_fault "$1" "$2"
  apb_proof "$work/apb_$1" "$frames"
  is "$1 is proved wrong" grep -q 'was asserted in frame' "$work/proof"
}
planted "$work/apb_proofs" <<'end'
stuck s/ready_q <= held_q;/ready_q <= held_q \&\& !addr_q[3];/
byte_lost s/put && at_scratch && strb_q\[p\]/put \&\& at_scratch \&\& strb_q[p] \&\& p != 2/
error_lost s/slverr_q <= error;/slverr_q <= error \&\& write_q;/
end
while read -r name edit; do apb_proved "$name" "$edit"; done <"$work/apb_proofs"

# --- the page

# page_lacks: the registers, and the enables, of a machine with nearly all that are not at their place on the page, a row each
page_lacks() {
  sed -n 's/.*} \(.*_en\)\[\([0-9]*\):.*/^[|] \2 `\1` [|]/p' "$work/apb_mix/apb_regs.rdl" | while read -r row; do
    grep -qE -- "$row" docs/mechanisms/apb.md || echo "$row"
  done
  sed -n 's/^  } \(.*\) @ \(0x.*\);$/\1 \2/p' "$work/apb_mix/apb_regs.rdl" | while read -r name address; do
    at=$((address))
    if [ "$at" -lt 128 ]; then
      row=$(printf '^[|] 0x%03X [|] `%s` [|]' "$at" "$name")
    elif [ "$at" -lt 256 ]; then
      row="^[|] $(((at - 128) / 4)) \`$name\` [|]"
    else
      row="(^[|]|,) $(((at - 256) / 8)) \`$name\`[ ,]"
    fi
    grep -qE -- "$row" docs/mechanisms/apb.md || echo "$row"
  done
}
"$heddle" gen -c lockstep/apb/apb_mix -t apb_regs -o "$work/apb_mix" >"$work/log" || cat "$work/log"
is 'there are registers to look for' test "$(grep -c '^  } ' "$work/apb_mix/apb_regs.rdl")" -gt 30
is 'the page has each register at its place' test -z "$(page_lacks)"

# --- with $FAULTS: under cocotbext-axi, against the SystemRDL

[ -n "${FAULTS:-}" ] || return 0

# apb_cocotb DIRECTORY: its tests, in $work/log
apb_cocotb() {
  "$python" tests/bus/apb_regs.py 1 "$work/sim_apb" "$work/apb/apb_regs.rdl" "$1"/*.v verif/apb/apb_protocol.v tests/bus/apb_checked.v >"$work/log" 2>&1
}
planted "$work/apb_faults" <<'end'
no_error s/slverr_q <= error;/slverr_q <= 1'b0;/
elsewhere s/12'd28;/12'd36;/
all_bytes s/ && strb_q\[p\]//
at_once s/else if (flush)/else/
swapped s/casc_en_q <= enable_q\[1\]/casc_en_q <= enable_q[2]/
no_carry s/high_q <= count\[COUNTER_W-1:32\] /high_q <= {COUNTER_HIGH_W{1'b0}} /
no_wrap s/count_q\[(p+2)\*COUNTER_W +: COUNTER_W\] + 1'b1;/{count_q[(p+2)*COUNTER_W+32 +: COUNTER_W-32], count_q[(p+2)*COUNTER_W +: 32] + 32'd1};/
high_moves s/reads_low = held_q && |at_low/reads_low = held_q/
high_unset s/ | high_q & {COUNTER_HIGH_W{!reads_low \&\& !rst}}/ | high_q \& {COUNTER_HIGH_W{!reads_low}}/
never_clear s/clear_q <= .* && wdata_q\[1\];/clear_q <= 1'b0;/
too_many s/<= MSHRS_LOW_MOST;/<= MSHRS_LOW_MOST + 1;/
other_threshold s/else if (put && takes_mascar_places)/else if (put \&\& takes_mascar_mshrs)/
end
if ! has cocotb; then
  skip $((1 + 2 * $(wc -l <"$work/apb_faults"))) 'cocotb is not there'
elif ! install "$venv" systemrdl systemrdl-compiler==1.33.0; then
  skip $((1 + 2 * $(wc -l <"$work/apb_faults"))) "systemrdl-compiler is not there: $(tail -1 "$work/log")"
else
  apb_cocotb "$work/apb"
  is 'the registers are as the SystemRDL says' grep -q '^8 passed, 0 failed$' "$work/log"
  while read -r name edit; do
    apb_fault "$name" "$edit"
    apb_cocotb "$work/apb_$name"
    is "the fault $name is seen" grep -q '^[0-7] passed, [1-8] failed$' "$work/log"
  done <"$work/apb_faults"
fi

# --- what peakrdl makes of it

peakrdl=${BUILD:-build}/peakrdl
# apb_reference DIRECTORY: its registers beside those that peakrdl makes, for Verilator: $work/log. Verilator 5.006 makes wrong C++ of
# structs that are not packed.
apb_reference() {
  rm -rf "$work/beside"
  verilator --binary -j 1 -CFLAGS -O0 -Wno-lint --top-module bench "$work/reference/apb_reference_pkg.sv" "$work/reference/apb_reference.sv" "$1"/*.v \
    tests/bus/apb_reference.sv --Mdir "$work/beside" >"$work/log" 2>&1 && "$work/beside/Vbench" >"$work/log" 2>&1
}
planted "$work/beside_faults" <<'end'
id s/APB_ID;/APB_ID ^ 32'd1;/
byte_0 s/{8{strb_q\[0\]}}/{8{strb_q[1]}}/
reads_twice s/at_high\[7\] = addr_q == 12'd316/at_high[7] = addr_q == 12'd308/
end
if ! install "$peakrdl" peakrdl peakrdl==1.5.0 peakrdl-regblock==1.3.1; then
  skip $((7 + 2 * $(wc -l <"$work/beside_faults"))) "peakrdl is not there: $(tail -1 "$work/log")"
else
  peakrdl=$peakrdl/bin/peakrdl
  for how in html c-header ip-xact; do
    is "peakrdl makes $how of it" "$peakrdl" "$how" "$work/apb/apb_regs.rdl" -o "$work/regs_$how"
  done
  # the header's addresses and masks are right: sizes, then the map of the page
  cat >"$work/regs.c" <<'end'
#include <stddef.h>
#include "regs_c-header"
_Static_assert(offsetof(apb_regs_t, control) == 0x10 && offsetof(apb_regs_t, hits) == 0x128, "addresses");
_Static_assert(offsetof(apb_regs_t, has_thresholds) == 0x20 && offsetof(apb_regs_t, mascar_mshrs) == 0x8c, "addresses");
_Static_assert(APB_REGS__CONTROL__FREEZE_bm == 1 && APB_REGS__CONTROL__CLEAR_bm == 2, "masks");
_Static_assert(APB_REGS__MASCAR_MSHRS__VALUE_bm == 31 && APB_REGS__MASCAR_MSHRS__VALUE_reset == 1, "a threshold");
end
  is 'its C header compiles, and has the map of the page' gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$work" "$work/regs.c"
  is 'its IP-XACT names the registers' grep -q '<ipxact:name>memory_waits</ipxact:name>' "$work/regs_ip-xact"
  is 'it makes registers in SystemVerilog' "$peakrdl" regblock "$work/apb/apb_regs.rdl" -o "$work/reference" --cpuif apb4-flat --addr-width 12 \
    --err-if-bad-addr --err-if-bad-rw --module-name apb_reference
  sed -i 's/\<struct {/struct packed {/' "$work"/reference/*.sv
  apb_reference "$work/apb"
  is 'which answer as ours do' grep -q '^reads [1-9][0-9]* writes [1-9][0-9]* errors [1-9][0-9]* counters [1-9][0-9]*: 0 differences$' "$work/log"
  while read -r name edit; do
    apb_fault "$name" "$edit"
    apb_reference "$work/apb_$name"
    is "and not as those with the fault $name" grep -q ': [1-9][0-9]* differences$' "$work/log"
  done <"$work/beside_faults"
fi
