#!/usr/bin/env python3
"""Stands in for `ablate` in a job: the first one is stopped in the middle of a trial, as a batch system does; all others run undisturbed.

    stopped_once.py FOLDER PAUSES PROGRAM ARGUMENT...

The first to make FOLDER writes the exit status of its job into it. PAUSES is libablate_pauses.so of the build: the worker stands
still before a line of its journal when the signals come, however fast the machine is."""

import os
import pathlib
import signal
import subprocess
import sys

LINES = 8  # of the journal before the signals


def main():
    folder, pauses, *command = sys.argv[1:]
    try:
        os.mkdir(folder)
    except FileExistsError:
        os.execv(command[0], command)
    heard, says = os.pipe()
    hears, tell = os.pipe()
    environment = os.environ | {"LD_PRELOAD": pauses, "PAUSE_SAYS": str(says), "PAUSE_HEARS": str(hears)}
    job = subprocess.Popen(command, env=environment, pass_fds=(says, hears))
    os.close(says)
    os.close(hears)
    os.write(tell, bytes(LINES))
    said = 0
    while said <= LINES:  # one for each line that was allowed, and one for that before which the worker stands still
        said += len(read := os.read(heard, LINES + 1))
        if not read:
            sys.exit(f"the job ended with status {job.wait()}, after {said} lines, before it could be stopped")
    workers = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
    for process in (*map(int, workers), job.pid):
        os.kill(process, signal.SIGTERM)
    os.close(tell)
    status = job.wait()
    pathlib.Path(folder, "status").write_text(str(status))
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
