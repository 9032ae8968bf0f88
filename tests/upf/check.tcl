# Reads a UPF file (IEEE Std 1801-2015) as a tool would, command by command: each command and option is one of the standard's,
# with as many values as it takes, and each name that it uses has been created before. Prints what the design must have: a line
#   instance PATH | model NAME | port MODEL NAME | bit MODEL NAME INDEX
# and at the end how many of each command there were. At the first mistake it says what is wrong, and leaves with 1.
# usage: tclsh tests/upf/check.tcl FILE.upf
# From the standard's text: command {values that come first} {option: values it takes}; * = may come several times.
set grammar {
  upf_version {0 1} {}
  create_power_domain {1 1} {-atomic 0 -elements 1 -exclude_elements 1 -subdomains 1 -supply 1* -available_supplies 1 -define_func_type 1* -update 0 -boundary_supplies 1*}
  create_supply_port {1 1} {-domain 1 -direction 1}
  create_supply_net {1 1} {-domain 1 -reuse 0 -resolve 1}
  create_supply_set {1 1} {-function 1* -reference_gnd 1 -update 0}
  create_logic_net {1 1} {}
  connect_supply_net {1 1} {-ports 1 -pg_type 1* -cells 1 -domain 1 -pins 1 -rail_connection 1 -vct 1}
  create_power_switch {1 1} {-switch_type 1 -output_supply_port 1 -input_supply_port 1* -control_port 1* -on_state 1* -off_state 1* -supply_set 1 -on_partial_state 1* -ack_port 1* -ack_delay 1* -error_state 1* -domain 1 -instances 1 -update 0}
  add_power_state {1 1} {-supply 0 -domain 0 -group 0 -model 0 -instance 0 -update 0 -state 1* -complete 0}
  set_port_attributes {0 0} {-model 1 -elements 1 -exclude_elements 1 -ports 1 -exclude_ports 1 -applies_to 1 -attribute 1* -clamp_value 1 -sink_off_clamp 1 -source_off_clamp 1 -driver_supply 1 -receiver_supply 1 -literal_supply 1 -pg_type 1 -related_power_port 1 -related_ground_port 1 -related_bias_ports 1 -repeater_supply 1 -feedthrough 0 -unconnected 0 -is_isolated 0 -is_analog 0}
  begin_power_model {1 1} {-for 1}
  end_power_model {0 1} {}
  apply_power_model {1 1} {-elements 1 -parameters 1 -supply_map 1}
}
set state_options {-logic_expr 1 -supply_expr 1 -power_expr 1 -simstate 1 -legal 0 -illegal 0}
set simstates {NORMAL CORRUPT CORRUPT_ON_ACTIVITY CORRUPT_ON_CHANGE CORRUPT_STATE_ON_CHANGE CORRUPT_STATE_ON_ACTIVITY NOT_NORMAL}

set file [lindex $argv 0]
set command {}
proc wrong {what} {
  global file command
  puts stderr "$file: $command: $what"
  exit 1
}
proc need {yes what} { if {!$yes} { wrong $what } }
proc fact {args} { puts $args }

# --- names: of the scope, which is the design or a power model ("" or its name)

set scope ""
proc make {kind name} {
  global made scope
  need [regexp {^[A-Za-z][A-Za-z0-9_.]*$} $name] "$name is no name"
  need [expr {![info exists made($scope,$kind,$name)]}] "a second $kind $name"
  set made($scope,$kind,$name) 1
}
proc has {kind name {in *here*}} {
  global made scope
  if {$in eq "*here*"} { set in $scope }
  need [info exists made($in,$kind,$name)] "there is no $kind $name"
}
# a pin of what the power model is of, whole or a bit
proc pin {name} {
  global scope model_of
  need [expr {$scope ne ""}] "$name is a port of what is not a power model"
  if {[regexp {^(\w+)\[(\d+)\]$} $name - of bit]} {
    fact bit $model_of($scope) $of $bit
  } else {
    fact port $model_of($scope) $name
  }
}

# --- options: into the array `given`, each a list of its values

proc parsed {takes args_ most least} {
  upvar given given
  set names {}
  array unset given
  while {[llength $args_]} {
    set option [lindex $args_ 0]
    if {![string match -* $option]} {
      lappend names $option
      set args_ [lrange $args_ 1 end]
      continue
    }
    need [dict exists $takes $option] "$option is no option of it"
    set values [string trimright [dict get $takes $option] *]
    need [expr {![info exists given($option)] || [string match *\\* [dict get $takes $option]]}] "$option twice"
    need [expr {[llength $args_] > $values}] "$option without a value"
    lappend given($option) [lindex $args_ $values]
    set args_ [lrange $args_ [expr {1 + $values}] end]
  }
  need [expr {[llength $names] >= $least && [llength $names] <= $most}] "names [list $names], of no option"
  return $names
}

# --- what the commands mean

proc on_create_power_domain {name} {
  upvar given given
  make domain $name
  need [info exists given(-elements)] "without -elements"
  foreach supply $given(-supply) { make "supply set" $name.[lindex $supply 0] }
}
proc on_create_supply_port {name} { upvar given given; make "supply port" $name; need [expr {$given(-direction) in {in out inout}}] "its direction" }
proc on_create_supply_net {name} { make "supply net" $name }
proc on_create_logic_net {name} { make "logic net" $name }
proc on_connect_supply_net {name} { upvar given given; has "supply net" $name; foreach port [lindex $given(-ports) 0] { has "supply port" $port } }
proc on_create_supply_set {name} {
  upvar given given
  if {[info exists given(-update)]} { has "supply set" $name } else { make "supply set" $name }
  foreach function $given(-function) {
    need [expr {[lindex $function 0] in {power ground nwell pwell deepnwell deeppwell}}] "function [lindex $function 0]"
    has "supply net" [lindex $function 1]
  }
}
# An expression of these names alone.
proc of_names {expression names} {
  foreach {name -} [regexp -all -inline {\w+(\[\d+\])?} $expression] { need [expr {$name in $names}] "$expression names $name" }
  need [regexp {^[\w\s!&|()\[\]=]+$} $expression] "$expression is no expression"
}
proc on_create_power_switch {name} {
  upvar given given
  make "power switch" $name
  has domain [lindex $given(-domain) 0]
  foreach port [concat $given(-input_supply_port) $given(-output_supply_port)] { has "supply net" [lindex $port 1] }
  set inputs [lmap port $given(-input_supply_port) {lindex $port 0}]
  set controls [lmap port $given(-control_port) {lindex $port 0}]
  foreach port $given(-control_port) { pin [lindex $port 1] }
  foreach state $given(-on_state) {
    need [expr {[llength $state] == 3 && [lindex $state 1] in $inputs}] "its on state"
    of_names [lindex $state 2] $controls
  }
  foreach state $given(-off_state) {
    need [expr {[llength $state] == 2}] "its off state"
    of_names [lindex $state 1] $controls
  }
  if {![info exists given(-ack_port)]} { need [expr {![info exists given(-ack_delay)]}] "a delay of no port"; return }
  foreach port $given(-ack_port) { has "logic net" [lindex $port 1] }
  foreach delay $given(-ack_delay) {
    need [expr {[lindex $delay 0] in [lmap port $given(-ack_port) {lindex $port 0}]}] "a delay of no port"
    need [regexp {^[0-9]+(\.[0-9]+)?(fs|ps|ns|us|ms|s)$} [lindex $delay 1]] "[lindex $delay 1] is no time"
  }
}
proc on_add_power_state {name} {
  upvar given given
  global state_options simstates
  need [expr {[info exists given(-supply)] != [info exists given(-domain)]}] "it is of a supply set or a domain"
  has [expr {[info exists given(-supply)] ? "supply set" : "domain"}] $name
  foreach state $given(-state) {
    set given_of_state [lrange $state 1 end]
    foreach option [array names state_given] { unset state_given($option) }
    need [regexp {^[A-Z][A-Z_]*$} [lindex $state 0]] "its state's name"
    while {[llength $given_of_state]} {
      set option [lindex $given_of_state 0]
      need [dict exists $state_options $option] "$option is no option of a state"
      set state_given($option) [lindex $given_of_state [dict get $state_options $option]]
      set given_of_state [lrange $given_of_state [expr {1 + [dict get $state_options $option]}] end]
    }
    if {[info exists state_given(-supply_expr)]} { of_names $state_given(-supply_expr) {power ground FULL_ON OFF} }
    if {[info exists state_given(-logic_expr)]} {
      foreach name [regexp -all -inline {\w+} $state_given(-logic_expr)] { pin $name }
    }
    need [expr {[info exists state_given(-supply_expr)] || [info exists state_given(-logic_expr)]}] "a state without an expression"
    if {[info exists state_given(-simstate)]} { need [expr {$state_given(-simstate) in $simstates}] "its simstate" }
  }
}
proc on_set_port_attributes {} {
  upvar given given
  foreach port [lindex $given(-ports) 0] { pin $port }
  foreach option {-driver_supply -receiver_supply} { if {[info exists given($option)]} { has "supply set" [lindex $given($option) 0] } }
}
proc on_begin_power_model {name} {
  upvar given given
  global scope model_of
  make "power model" $name
  set scope $name
  set model_of($name) [lindex $given(-for) 0]
  fact model $model_of($name)
}
proc on_end_power_model {{name ""}} {
  global scope
  need [expr {$scope ne "" && $name in [list "" $scope]}] "it ends no model"
  set scope ""
}
proc on_apply_power_model {name} {
  upvar given given
  global model_of
  has "power model" $name
  foreach path [lindex $given(-elements) 0] { fact instance $path $model_of($name) }
  foreach pair [lindex $given(-supply_map) 0] {
    has "supply set" [lindex $pair 0] $name
    has "supply set" [lindex $pair 1]
  }
}
proc on_upf_version {version} { need [expr {$version eq "3.0"}] "version $version" }

foreach {name first options} $grammar {
  proc $name args [format {
    global command count
    set command [concat %s $args]
    incr count(%s)
    array set given {}
    set first [parsed {%s} $args %d %d]
    on_%s {*}$first
  } $name $name $options [lindex $first 1] [lindex $first 0] $name]
}
rename unknown {}
proc unknown args { wrong "[lindex $args 0] is no command of the standard" }

if {[catch {source $file} why]} { wrong $why }
set command {}
need [expr {$scope eq ""}] "a power model has no end"
foreach name [lsort [array names count]] { puts "commands $name $count($name)" }
