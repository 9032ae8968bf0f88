# Shared by run and long: counts the results of `heddle prove`.
heddle=${HEDDLE:-build/heddle}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 open=0

# ok NAME STATUS WANTED: the exit status is the one wanted; else what was said
ok() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: exit $2, wanted $3"
    cat "$dir/said"
  fi
}
# prove ARGUMENTS: $status is how it ends, 124 if it took more than $most seconds; $dir/said is what it says
most=3000
prove() {
  timeout -k 10 "$most" "$heddle" prove --work "$dir/proofs" "$@" >"$dir/said" 2>&1
  status=$?
}
# says NAME TEXT
says() {
  if grep -qF -- "$2" "$dir/said"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1: wanted \"$2\"" && cat "$dir/said"; fi
}
# edit CONFIG SETS MODULE EDIT: the module as it is generated for its proof, with the edit, in $dir/rtl; it must change something
edit() {
  HEDDLE=$heddle tests/prove/plain "$dir/plain" "$dir/proofs" "$1" "${2:--}" "$3"
  mkdir -p "$dir/rtl"
  sed "$4" "$dir/plain/$3.v" >"$dir/rtl/$3.v"
  cmp -s "$dir/plain/$3.v" "$dir/rtl/$3.v" && failed=$((failed + 1)) && echo "FAILED: $3: the edit $4 changes nothing"
  return 0
}
# mistakes PATTERN: the planted mistakes of the modules that match
mistakes() {
  grep -v '^#' tests/prove/mistakes | grep -E "$1" >"$dir/list"
  while read -r config sets module property change; do
    [ "$sets" = - ] && sets=
    edit "$config" "$sets" "$module" "$change"
    prove -c "$config" ${sets:+--set "$sets"} -m "$module" --property "$property" --rtl "$dir/rtl"
    ok "$module with a mistake, $property" $status 1
    says "$module, $property" "property $property does not hold: cycle"
    for trace in vcd txt; do
      [ -s "$dir/proofs/$(basename "$config" .yaml)/$module/$property.$trace" ]
      ok "$property.$trace" $? 0
    done
  done <"$dir/list"
}
# closed NAME: a proof that is in $dir/proof.json. What is proved has passed. What is not decided for all cycles, or not in time, is
# open: it has neither passed nor failed, and is printed
closed() {
  if [ $status = 124 ]; then
    open=$((open + 1))
    echo "open: $1: not done in $most s"
    return
  fi
  # beside one that is open, too, one that is wrong, or never asks, has failed
  if [ $status != 0 ] && { ! grep -q ' open' "$dir/said" || grep -qE '"verdict": "refuted"|"cover": "(never|not seen)"' "$dir/proof.json"; }; then
    ok "$1" $status 0
    return
  fi
  passed=$((passed + $(grep -c '"verdict": "proved"' "$dir/proof.json")))
  for verdict in bounded open; do
    n=$(grep -c "\"verdict\": \"$verdict\"" "$dir/proof.json")
    open=$((open + n))
    [ "$n" = 0 ] || echo "open: $1: $n properties $verdict: $(awk -v v=$verdict '$3 == v { printf "%s ", $2 }' "$dir/said")"
  done
}
# gates NAME: a netlist against its RTL, in $dir/gates.json. Where a register is constant at the small size nothing is compared
gates() {
  if [ $status = 124 ] || { [ $status = 1 ] && ! grep -q '^  differs: ' "$dir/said" && grep -qE '^  open: |bits declared, .* found' "$dir/said"; }; then
    open=$((open + 1))
    echo "open: the gates of $1"
    cat "$dir/said"
  else
    ok "the gates of $1" $status 0
  fi
}
sum() {
  echo "$passed passed, $failed failed$([ $open = 0 ] || echo ", $open skipped: not closed")"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
