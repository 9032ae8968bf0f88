# shellcheck shell=sh
# Commands of pages, for the scripts beside it.
mkdir "$work/bin"
ln -s "$heddle" "$work/bin/heddle"
models=$(realpath "${MODELS:-${BUILD:-build}}")/cosim
mkdir -p "$models"

# shown PAGE [slow]: its commands, in a directory of its own; what Verilator makes is shared
shown() {
  dir=$work/$(basename "$1" .md)
  for d in "$dir" "$dir/tour"; do mkdir -p "$d/build" && ln -s "$models" "$d/build/cosim"; done
  PATH=$work/bin:$PATH tests/pages/commands "$1" "$dir" ${2:-} >"$work/log"
  sed '$d' "$work/log"
  good=$(sed -n '$s/ passed.*//p' "$work/log") bad=$(sed -n '$s/.*, \([0-9]*\) failed/\1/p' "$work/log")
  passed=$((passed + ${good:-0})) failed=$((failed + ${bad:-1}))
}
