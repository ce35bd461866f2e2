#!/bin/sh
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=USR1@120
# Runs one line of a list of jobs in each element of a Slurm array:
#
#   ablate plan experiments/quickstart.json --results results/quickstart --jobs sh > jobs.txt
#   sbatch --array=1-$(wc -l < jobs.txt) --time=60 --mem=1000 slurm_array.sh jobs.txt
#
# A job that is preempted, or reaches its time limit, stops with a checkpoint and is queued again. One that failed otherwise is
# run again by the same command: what is done is not done again. Where a site allows fewer elements, OFFSET=1000 in the
# environment begins after line 1000.
line=$((${OFFSET:-0} + SLURM_ARRAY_TASK_ID))
job=$(sed -n "${line}p" "$1")
if [ -z "$job" ]; then echo "$1 has no line $line" >&2; exit 2; fi
srun --kill-on-bad-exit=1 sh -c "exec $job"  # a shell in between would die of the signal
status=$?
if [ "$status" = 75 ]; then scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"; fi
exit "$status"
