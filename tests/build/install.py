#!/usr/bin/env python3
"""Installs into an empty folder, and uses the programs there from any other.

    tests/build/install.py --build build/release
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TINY = ["--set", "train.budget.tokens=4096", "--set", "seeds=1", "--set", "corpus.tokens=20000",
        "--set", "corpus.held_out_tokens=2000", "--set", 'probes=["held_out"]', "--progress", "none"]
EXPECTED = ["bin/ablate", "bin/ablate-worker", "bin/ablate_bench", "share/ablate/experiments/quickstart.json",
            "share/ablate/experiments/experiment.schema.json", "share/ablate/experiments/base/small.json",
            "share/ablate/experiments/lecture/world/text.txt", "share/doc/ablate/LICENSE",
            "share/man/man1/ablate.1", "share/man/man1/ablate-run.1", "share/man/man1/ablate-gate-pin.1",
            "share/bash-completion/completions/ablate", "share/zsh/site-functions/_ablate",
            "share/fish/vendor_completions.d/ablate.fish"]


def run(command, folder, **more):
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def check_page(prefix):
    """man(1) shows a page without a complaint, where it is installed."""
    page = prefix / "share/man/man1/ablate-run.1"
    text = page.read_text()
    for wanted in (".SH NAME", ".SH SYNOPSIS", "\\-\\-results", ".SH EXAMPLES", ".SH EXIT STATUS"):
        if wanted not in text:
            sys.exit(f"{page.name} lacks {wanted}")
    if shutil.which("groff") is None:
        print("groff is not installed: the pages are not formatted")
        return
    for each in sorted(page.parent.glob("*.1")):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", each], text=True, capture_output=True, check=False)
        if done.returncode != 0 or done.stderr:
            sys.exit(f"groff of {each.name}: {done.stderr[:1000]}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--build", type=pathlib.Path, required=True)
    build = arguments.parse_args().build.resolve()
    with tempfile.TemporaryDirectory() as name:
        prefix, mine = pathlib.Path(name) / "prefix", pathlib.Path(name) / "mine"
        mine.mkdir()
        gone = build / "manual/man/man1/ablate-gone.1"  # of a command that there was once
        gone.parent.mkdir(parents=True, exist_ok=True)
        gone.touch()
        run(["cmake", "--install", build, "--prefix", prefix], mine)
        lacking = [file for file in EXPECTED if not (prefix / file).is_file()]
        if lacking:
            sys.exit(f"not installed: {', '.join(lacking)}")
        if (prefix / "share/man/man1" / gone.name).exists():
            sys.exit("a page of a command that is gone is installed")
        check_page(prefix)
        # Nothing of the build is found but by chance: the prefix is moved, and the environment is bare.
        moved = prefix.rename(prefix.with_name("moved"))
        environment = {"PATH": f"{moved / 'bin'}:/usr/bin:/bin", "HOME": str(mine),
                       "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(mine / "cache"))}
        run(["ablate", "plan", "quickstart"], "/", env=environment)
        run(["ablate", "plan", "lecture/masking"], "/", env=environment)
        run(["ablate", "run", "quickstart", "--report", *TINY], mine, env=environment)
        if not (mine / "results/quickstart/report/report.html").is_file():
            sys.exit("the report is not where the run was started")
    return 0


if __name__ == "__main__":
    sys.exit(main())
