# A cluster of one node in $work/slurm: munged, slurmctld and slurmd, on ports and sockets of its own. To be read with `.` behind
# tests/cli/lib.sh.
# shellcheck shell=sh
slurm=$work/slurm
slurm_pids=

# Starts it with $1 CPUs, however many the machine has. Fails if one of them is not there, or does not start.
slurm_start() {
  for program in munged slurmctld slurmd sbatch; do command -v $program >/dev/null || return 1; done
  mkdir -p "$slurm/state" "$slurm/spool" && chmod 755 "$work" "$slurm"
  head -c 1024 /dev/urandom >"$slurm/key" && chmod 400 "$slurm/key"
  munged --foreground --force --key-file="$slurm/key" --socket="$slurm/munge" --pid-file="$slurm/munged.pid" \
    --log-file="$slurm/munged.log" --seed-file="$slurm/seed" >"$slurm/munged.out" 2>&1 &
  slurm_pids="$slurm_pids $!"
  host=$(hostname -s)
  cat >"$slurm/slurm.conf" <<end
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$slurm/munge
SlurmctldPort=$((20000 + $$ % 10000))
SlurmdPort=$((30001 + $$ % 10000))
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=defer,batch_sched_delay=1,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=10
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$1 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
end
  export SLURM_CONF="$slurm/slurm.conf"
  for _ in $(seq 50); do [ -S "$slurm/munge" ] && break || sleep 0.2; done
  slurmctld -D >"$slurm/slurmctld.out" 2>&1 &
  slurm_pids="$slurm_pids $!"
  slurmd -D >"$slurm/slurmd.out" 2>&1 &
  slurm_pids="$slurm_pids $!"
  for _ in $(seq 150); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
    sleep 0.2
  done
  tail -n 5 "$slurm"/*.log "$slurm"/*.out
  return 1
}
slurm_stop() {
  scancel -u "$(id -un)" 2>/dev/null
  # shellcheck disable=SC2086 # a list of numbers
  [ -z "$slurm_pids" ] || kill $slurm_pids 2>/dev/null
  # one that was started again is no child of this shell
  [ ! -s "$slurm/slurmctld.pid" ] || kill "$(cat "$slurm/slurmctld.pid")" 2>/dev/null
  wait
  slurm_pids=
}
