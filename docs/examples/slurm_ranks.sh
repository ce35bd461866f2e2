#!/bin/sh
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
# Trains each trial of an experiment by all tasks of a job, on one node or several:
#
#   sbatch --nodes=2 --ntasks=8 --time=60 slurm_ranks.sh experiments/quickstart.json --results results/quickstart
#
# This script runs on the first node and starts ablate, whose worker starts the other tasks by srun. A job that is preempted,
# or reaches its time limit, stops with a checkpoint and is queued again.
ablate run "$@" --workers 1 --ranks "$SLURM_NTASKS" --progress plain &
trap 'kill -USR1 "$!"' USR1 TERM
wait "$!"
status=$?
while kill -0 "$!" 2> /dev/null; do wait "$!"; status=$?; done  # a signal ends the wait, not ablate
if [ "$status" = 75 ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit "$status"
