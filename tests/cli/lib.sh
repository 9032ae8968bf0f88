# What tests of the program from outside share: a scratch directory $work, the program's full path $heddle, and counts in $passed,
# $failed and $skipped. Read it with `.` from the top of the tree. The last command of a test is `summed`.
# shellcheck shell=sh
heddle=$(realpath "${HEDDLE:-build/heddle}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# gives RC TEXT ARGS...: the exit code, and TEXT (an extended regular expression) in what is printed
gives() {
  rc=$1 text=$2
  shift 2
  "$heddle" "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  if [ $got = "$rc" ] && cat "$work/out" "$work/err" | grep -Eq -e "$text"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: heddle $*: exit $got, expected $rc and: $text"
    cat "$work/out" "$work/err" | head -20
  fi
}
# is WHAT COMMAND...: the command succeeds
is() {
  what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}
# has PROGRAM N WHAT: the program is there; where it is not, N checks count as skipped, and that is printed
has() {
  command -v "$1" >/dev/null && return
  skipped=$((skipped + $2))
  echo "skipped $2: $3: there is no $1 here (.ci/deps --long)"
  return 1
}
# packages DIR PACKAGE...: a virtual environment of Python with these. The pip that is here does it: one inside takes 5 s to install.
packages() {
  into=$1
  shift
  python3 -m venv --without-pip "$into" && python3 -m pip --python "$into/bin/python" install -q --disable-pip-version-check "$@"
}
# json FILE KEY...: each key is in the file
json() {
  file=$1
  shift
  for key; do is "$file has $key" grep -q "\"$key\": " "$file"; done
}
summed() {
  echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
  [ $failed = 0 ] && [ $passed -gt 0 ]
}
