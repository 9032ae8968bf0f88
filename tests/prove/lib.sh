# Shared by run and long: what `heddle prove` says, counted.
heddle=${HEDDLE:-build/heddle}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

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
# prove ARGUMENTS: $status is how it ends, $dir/said what it says
prove() {
  "$heddle" prove --work "$dir/proofs" --limit 60 "$@" >"$dir/said" 2>&1
  status=$?
}
# says NAME TEXT
says() {
  if grep -qF -- "$2" "$dir/said"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $1: wanted \"$2\"" && cat "$dir/said"; fi
}
# edit CONFIG SETS MODULE EDIT: the module as it is generated for its proof, with the edit, in $dir/rtl; it must change something
edit() {
  mkdir -p "$dir/rtl"
  prove -c "$1" ${2:+--set "$2"} -m "$3" --property none_of_them
  mkdir -p "$dir/rtl"
  sed '/^  (\* keep \*) wire .* proof_says/,/^endmodule/{/^endmodule/!d}; /^  wire .* proof_.*_rows;$/d; /^ *\.rows(proof_/d' "$dir/proofs/"*"/$3/rtl/$3.v" >"$dir/plain.v"
  sed "$4" "$dir/plain.v" >"$dir/rtl/$3.v"
  cmp -s "$dir/plain.v" "$dir/rtl/$3.v" && failed=$((failed + 1)) && echo "FAILED: $3: the edit $4 changes nothing"
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
sum() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
