# Shared by tests/bus/run and tests/bus/long: the manager under its protocol checker, with and without planted faults. Needs
# tests/cli/lib.sh.
checker=verif/axi4/axi4_protocol.v

# generate CONFIG DIRECTORY
generate() { "$heddle" gen -c "configs/$1.yaml" -t axi4_manager -o "$2" >"$work/log" || cat "$work/log"; }

# plant DIRECTORY NAME SED: a copy of the Verilog with a fault, in $work/NAME
plant() {
  rm -rf "${work:?}/$2" && cp -r "$1" "$work/$2"
  sed "$3" "$1/axi4_manager.v" >"$work/$2/axi4_manager.v"
  is "the fault $2 is planted" sh -c "! cmp -s $1/axi4_manager.v $work/$2/axi4_manager.v"
}
# planted FILE: the faults of standard input, a name and a sed command a line, that are tried: the first, or $FAULTS
planted() { head -n "${FAULTS:-1}" >"$1"; }
planted "$work/faults" <<'end'
wlast_early s/w_last_q <= w_left_q == .*/w_last_q <= w_left_q == 2;/
arvalid_drops s/ar_valid_q <= take_read || .*/ar_valid_q <= take_read;/
wdata_changes s/else if (beat)$/else if (w_valid_q)/
half_a_line s/m_axi_araddr  = .*/m_axi_araddr  = {ar_line_q, 1'b1, {ADDR_W-LINE_W-1{1'b0}}};/
end

# icarus DIRECTORY OUTPUT PARAMETER=VALUE...: the bench
icarus() {
  dir=$1 out=$2
  shift 2
  # shellcheck disable=SC2046
  iverilog -g2005 -I tests/bus -s bench $(printf -- ' -Pbench.%s' "$@") -o "$work/bench.vvp" "$dir"/*.v "$checker" tests/bus/bench.v &&
    vvp "$work/bench.vvp" >"$out" 2>&1
}
# verilate DIRECTORY OUTPUT CYCLES
verilate() {
  verilator --binary -j 1 -O3 -Wno-lint -Itests/bus --top-module bench "-GCYCLES=$3" "$1"/*.v "$checker" tests/bus/bench.v --Mdir "$work/verilated" \
    >"$work/log" 2>&1 && "$work/verilated/Vbench" >"$2" 2>&1
}
# good OUTPUT TRANSFERS: at least so many, and nothing bad
good() { awk -v least="$2" '/^transfers/ { n = $2 + 0; bad = $4 } /^rules broken/ { broken = 1 } END { exit !(n >= least && bad == "0" && !broken) }' "$1"; }

# prove DIRECTORY CYCLES: whether some rule can be broken in so many cycles from power-up; yosys and the solver of its ABC
prove() {
  yosys -q -p "read_verilog -formal -DFORMAL -Itests/bus $1/*.v $checker tests/bus/prove.v; prep -flatten -top prove; async2sync; memory_map
    opt -full; setundef -anyseq -undriven; opt; dffunmap; techmap; opt; dffunmap; abc -g AND -fast; opt_clean
    write_aiger -I $work/prove.aig" >"$work/log" 2>&1 &&
    yosys-abc -c "read_aiger $work/prove.aig; fold; strash; scorr; dc2; bmc3 -F $2" >"$work/proof" 2>&1
  cat "$work/log" >>"$work/proof"
}

venv=${BUILD:-build}/cocotb
python=$(realpath -m "$venv")/bin/python
# has MODULE [VENV]: Python has it there, in the one of cocotb if none is said
has() { "${2:-$venv}/bin/python" -c "import $1" >"$work/log" 2>&1; }
# install VENV MODULE PACKAGE...: packages, if the module that they bring is not there
install() {
  where=$1 module=$2
  shift 2
  has "$module" "$where" || packages "$where" "$@" >"$work/log" 2>&1
}
# skip NUMBER WHY
skip() {
  skipped=$((skipped + $1))
  echo "skipped $1: $2"
}
