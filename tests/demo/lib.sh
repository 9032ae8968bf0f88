# What the tests of the demo share. Read it with `.` from the top of the tree. The last command of a test is `summed`.
# shellcheck shell=sh
heddle=${HEDDLE:-build/heddle}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0 failed=0

demo() { # DIRECTORY OPTION... of the two machines
  dir=$out/$1
  shift
  "$heddle" demo "$@" -o "$dir" --json "$dir.json" >"$dir.log" 2>&1 && return
  cat "$dir.log"
  echo "0 passed, 1 failed"
  exit 1
}
is() { # WHAT COMMAND...
  what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what"
  fi
}
summed() {
  echo "$passed passed, $failed failed"
  [ $failed = 0 ] && [ $passed -gt 0 ]
}

# The kernels with the linear and the hashed index.
linear() { demo linear --kernels -c configs/mrpb.yaml -b configs/fermi_16k.yaml; }
hashed() { demo hashed --kernels -c configs/mrpb/hash.yaml -b configs/fermi_16k_hash.yaml; }

page=docs/results/mrpb.md

# The tables of that page, each named after its run.
table() { sed -n "/^<!-- $1 -->\$/,/^<!-- end $1 -->\$/p" "$page"; }
fresh() { echo "<!-- $1 -->"; cat "$out/$1/kernels.md"; echo "<!-- end $1 -->"; }
same() { # RUN
  table "$1" >"$out/old"
  fresh "$1" >"$out/new"
  diff -u "$out/old" "$out/new"
}
