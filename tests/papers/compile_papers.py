#!/usr/bin/env python3
"""Compiles the papers of synthetic experiments, and reads what stands on the pages.

    tests/papers/compile_papers.py --programs build/release [--keep FOLDER]
    tests/papers/compile_papers.py --papers FOLDER

Each paper.tex compiles twice without an error or an undefined reference, the second run changes no
label, no line is more than 20 points too wide, no table is scaled below 7 points or higher than a page, fonts
are embedded, chktex has no complaint, the hashes are right, and the text of the PDF has the names of arms and metrics
and each estimate of each table. FOLDER holds reports, each with the formats tex and json. Exits with 77, which
CTest counts as skipped, where a tool is absent.
"""
import argparse
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TOOLS = ("pdflatex", "chktex", "pdftotext", "pdffonts")
# chktex's warnings that are of no use here, because they are about the words of others, which stand in these files
# exactly as they were given, or about what pgfplots takes for a number or a key.
SWITCHED_OFF = {
    1: "a command that a space ends: the primitives of \\AblateFit",
    8: "length of dashes: names hold hyphens, options of programs two of them, and pgfplots minus signs",
    12: "space between words: names of others, version numbers",
    13: "space between sentences: names of others end in capitals",
    26: "space before punctuation: names of others",
    36: "space around parentheses: coordinates of pgfplots",
    32: "quotation marks: names of others",
}
# And these in the papers of HOSTILE, whose names are made of such characters.
SWITCHED_OFF_IN_HOSTILE = {
    3: "parentheses around a formula: names of metrics and of shares hold them",
    9: "parentheses that do not match: names of others",
    10: "the same, alone",
    11: "dots: names of others hold them",
    17: "the number of parentheses: names of others",
    18: "quotation marks: names of others",
    19: "characters above 127: the alphabet of others",
    35: "names of mathematical operators: names of others",
    37: "the same, on the inside",
    38: "punctuation and quotation marks: names of others",
    39: "double spaces: names of others",
    40: "punctuation and formulas: a number before a full stop is one",
    44: "rules within tables: booktabs has them",
    15: "braces that are text and seem to open others",
    16: "the same, at the end",
}
# Cases with names of more than a line without a space, which nothing can break, and with characters that are text
# and that chktex takes for others.
SMALLEST = 7 / 8  # of the size of \footnotesize, which is 8 points
HOSTILE = ("hostile", "scripts")
LOST = re.compile(r"^!|undefined|multiply defined|Rerun to get|Missing character", re.MULTILINE | re.IGNORECASE)
# "$0.82$ & ${}\pm 0.01$", and the number alone in other cells, such as p and n
PLUS_MINUS = re.compile(r"\$(?:\\mathbf\{)?(-?[0-9.]+)\}?\$ & (?:\$\{\}\\pm ([0-9.]+))?")
ALONE = re.compile(r"(?:^|&)\s*\$?(-?[0-9]+(?:\.[0-9]+)?)\$?\s*(?=&|\\\\)", re.MULTILINE)


class Fault(Exception):
    """What is wrong with a paper."""


def run(command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")


def compile_twice(folder):
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"]
    for _ in range(2):
        done = run(command, folder)
        if done.returncode != 0:
            raise Fault(f"pdflatex ended with {done.returncode}:\n{done.stdout[-3000:]}")
    log = (folder / "paper.log").read_text(encoding="utf-8", errors="replace")
    if found := LOST.search(log):
        raise Fault(f"the log says: {log[max(0, found.start() - 200):found.start() + 400]}")
    for wide in re.findall(r"Overfull \\hbox \(([0-9.]+)pt", log):
        if float(wide) > 20 and folder.parent.name not in HOSTILE:
            raise Fault(f"a line is {wide} pt too wide")
    if found := re.search("Float too large.*", log):
        raise Fault(found[0])
    for natural, width in re.findall(r"AblateFit: ([0-9.]+)pt\s*into ([0-9.]+)pt", log):
        if float(width) < SMALLEST * float(natural) and folder.parent.name not in HOSTILE:
            raise Fault(f"a table or a figure of {natural} pt is scaled to {width} pt")


def check_style(folder):
    off = [f"-n{number}" for number in (*SWITCHED_OFF, *(SWITCHED_OFF_IN_HOSTILE if folder.parent.name in HOSTILE else ()))]
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.tex"))
    done = run(["chktex", "-q", "-I0", "-v0", *off, *files], folder)
    if done.stdout.strip():
        raise Fault(f"chktex says:\n{done.stdout[:2000]}")


def check_fonts(folder):
    lines = run(["pdffonts", "paper.pdf"], folder).stdout.splitlines()[2:]
    if not lines or any(line.split()[-5] != "yes" for line in lines):
        raise Fault("fonts are not embedded:\n" + "\n".join(lines))


def text_of(folder):
    """The text of the PDF in the order in which TeX set it, so that names that break are whole; without spaces."""
    text = run(["pdftotext", "-raw", "paper.pdf", "-"], folder).stdout
    return re.sub(r"\s", "", text.replace("\N{MINUS SIGN}", "-"))


def check_numbers(folder, text):
    tables = [file for file in folder.glob("*.tex") if "tabular" in file.read_text() and not file.stem.endswith("-float")]
    found = {file.stem: PLUS_MINUS.findall(file.read_text()) for file in tables}
    alone = {file.stem: ALONE.findall(file.read_text()) for file in tables}
    if not found["main"]:
        raise Fault("the main table has no numbers")
    for name, pairs in found.items():
        for number in (number for pair in pairs for number in pair if number):
            if number not in text:
                raise Fault(f"{number} of the table {name} is not on the pages")
    for name, numbers in alone.items():
        for number in numbers:
            if number not in text:
                raise Fault(f"{number} of the table {name} is not on the pages")


def check_names(folder, text):
    report = json.loads((folder.parent / "report.json").read_text())
    names = [arm["label"] for arm in report["arms"]]
    for metric in {name for arm in report["arms"] for name in arm["metrics"]}:
        names += metric.split(".", 1)  # the probe may stand above its metrics
    for name in names:
        if re.sub(r"\s", "", name) not in text:
            raise Fault(f"the name {name} is not on the pages")


def check_hashes(folder):
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ", 1)
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise Fault(f"{name} has another hash than SHA256SUMS says")


def check(folder):
    check_hashes(folder)
    compile_twice(folder)
    check_fonts(folder)
    text = text_of(folder)
    if folder.parent.name not in HOSTILE:
        check_names(folder, text)
    check_numbers(folder, text)
    check_style(folder)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--programs", type=pathlib.Path, help="build folder with ablate_papers")
    options.add_argument("--papers", type=pathlib.Path, help="folder with reports that are compiled instead")
    options.add_argument("--keep", type=pathlib.Path, help="folder for the papers (default: a temporary one)")
    chosen = options.parse_args()
    if (chosen.programs is None) == (chosen.papers is None):
        options.error("give one of --programs and --papers")
    if absent := [tool for tool in TOOLS if shutil.which(tool) is None]:
        print(f"skipped: {', '.join(absent)} not found; install texlive-latex-recommended, texlive-pictures, chktex and poppler-utils")
        return SKIPPED
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        place = (chosen.papers or chosen.keep or pathlib.Path(name)).resolve()
        if chosen.programs:
            subprocess.run([chosen.programs / "ablate_papers", place], check=True)
        for folder in sorted(place.iterdir()):
            try:
                check(folder / "paper")
                print(f"{folder.name}: compiles, and says what its table says")
            except Fault as fault:
                faults += 1
                print(f"{folder.name}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
