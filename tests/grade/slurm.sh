#!/bin/bash
# A Slurm of two nodes on this machine, for a test: slurm.sh FOLDER, until its standard input ends.
# Each node and the controller are a namespace of processes: one kill -9 of the process in FOLDER/NODE.pid and
# all that ran there is gone. FOLDER/ready says that it runs; FOLDER/skipped says why it cannot.
set -u
folder=$1
PATH=$PATH:/usr/sbin:/sbin
mkdir -p "$folder"
exec 2>>"$folder/slurm.sh.out"
skip() {
    echo "$*" >"$folder/skipped"
    exit 0
}

[ "$(id -u)" = 0 ] || skip "not root, as Slurm's daemons have to be here"
for program in munged slurmctld slurmd sbatch setpriv unshare; do
    command -v $program >/dev/null || skip "no $program; apt-get install slurm-wlm munge"
done
node=(setpriv --pdeathsig KILL unshare --pid --mount-proc --fork --kill-child)
"${node[@]}" true 2>/dev/null || skip "no namespaces of processes here"

# Nobody listens on three ports in a row.
is_free() { ! (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
for ((port = 20000 + $$ % 8000; ; port += 3)); do
    is_free $port && is_free $((port + 1)) && is_free $((port + 2)) && break
done

head -c 64 /dev/urandom >"$folder/key"
chmod 600 "$folder/key"
host=$(hostname -s)
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=1
SlurmdParameters=config_overrides
SlurmdTimeout=3
MessageTimeout=2
KillWait=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=8000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=8000
PartitionName=main Nodes=ALL Default=YES State=UP
END
mkdir -p "$folder/state" "$folder/spool.n1" "$folder/spool.n2"

start() {  # NAME COMMAND...
    "${node[@]}" "${@:2}" </dev/null >>"$folder/$1.out" 2>&1 &
    echo $! >"$folder/$1.pid"
}
stop() {
    # shellcheck disable=SC2046  # numbers
    kill -9 $(jobs -pr)
    wait
} 2>/dev/null
trap stop EXIT
start munged.node munged --foreground --force --num-threads=1 --key-file="$folder/key" \
    --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
    --seed-file="$folder/munge.seed"
for ((k = 0; k < 50; k++)); do
    [ -S "$folder/munge.socket" ] && break
    sleep 0.1
done
start slurmctld.node slurmctld -D -c
start n1 slurmd -D -N n1
start n2 slurmd -D -N n2
for ((k = 0; k < 50; k++)); do
    [ "$(sinfo --noheader --Node --states=idle 2>/dev/null | wc -l)" = 2 ] && break
    sleep 0.2
done
if ((k == 50)); then
    said=$(tail -q -n 1 "$folder"/*.out "$folder/slurmctld.log" 2>/dev/null | head -n 3)
    skip "Slurm does not start: ${said//$'\n'/; }"
fi
echo ready >"$folder/ready"
cat >/dev/null
