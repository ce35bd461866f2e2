#!/usr/bin/env python3
"""The checks of .ci that are programs of our own: each finds a planted fault, and passes without it.

    tests/build/gate_scripts.py
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
import slow_tests  # noqa: E402

GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


class Checkout(unittest.TestCase):
    """A small project of its own with the scripts of .ci."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name).resolve() / "clone"
        self.cache = self.root.parent / "cache"
        self.root.mkdir()
        self.git("init", "-q")

    def git(self, *arguments):
        subprocess.run([*GIT, *arguments], cwd=self.root, check=True, stdout=subprocess.DEVNULL)

    def bring(self, *names):
        (self.root / ".ci").mkdir(exist_ok=True)
        for name in names:
            shutil.copy(ROOT / ".ci" / name, self.root / ".ci" / name)
        self.git("add", ".ci")

    def commit(self, subject):
        self.git("commit", "-q", "--allow-empty", "-m", subject, "-m", "A reason. " * 20)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        self.git("add", name)

    def compile_commands(self, *sources):
        (self.root / "build").mkdir(exist_ok=True)
        commands = [{"directory": str(self.root / "build"), "file": str(self.root / source),
                     "command": f"g++ -I{self.root} -std=c++20 -o x.o -c {self.root / source}"} for source in sources]
        (self.root / "build/compile_commands.json").write_text(json.dumps(commands))

    def run_check(self, script, *arguments):
        done = subprocess.run([self.root / ".ci" / script, *arguments], cwd=self.root, text=True,
                              env=os.environ | {"XDG_CACHE_HOME": str(self.cache)},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout


class Subjects(Checkout):
    def setUp(self):
        super().setUp()
        self.commit("o" * 100)
        self.bring("check-subjects")
        self.commit("Hold subjects to 72 characters")

    def test_older_ones_are_as_they_are(self):
        self.commit("é" * 72)  # characters, not bytes
        status, output = self.run_check("check-subjects")
        self.assertEqual(0, status, output)
        self.assertIn("2 commits, 0 with", output)

    def test_a_long_one_is_named(self):
        self.commit("x" * 73)
        self.commit("A short one after it")
        status, output = self.run_check("check-subjects")
        self.assertEqual(1, status, output)
        self.assertIn(f"'{'x' * 73}' has 73 characters; a subject has at most 72", output)

    def test_what_a_merge_brings_is_read(self):
        self.git("checkout", "-q", "-b", "side")
        self.commit("y" * 73)
        self.git("checkout", "-q", "-")
        self.commit("On the other side")
        self.git("merge", "-q", "--no-ff", "-m", "Merge " + "z" * 80, "side")
        status, output = self.run_check("check-subjects")
        self.assertEqual(1, status, output)
        self.assertIn("3 commits, 1 with", output)


    def test_only_what_is_no_clone_has_no_history(self):
        shutil.rmtree(self.root / ".git")
        status, output = self.run_check("check-subjects")
        self.assertEqual(0, status, output)
        self.assertIn("no subject was read", output)
        (self.root / ".git").mkdir()  # a clone that git cannot read
        status, output = self.run_check("check-subjects")
        self.assertNotEqual(0, status, output)
        self.assertIn("not a git repository", output)


class EachSource(Checkout):
    def setUp(self):
        super().setUp()
        self.bring("sources.py", "each_source.py")
        self.write("whole.h", "#pragma once\n#include <string>\ninline std::string name() { return {}; }\n")
        self.write("whole.cpp", '#include "whole.h"\nint size() { return static_cast<int>(name().size()); }\n')
        self.compile_commands("whole.cpp")

    def test_what_passed_is_read_again_once_a_header_changes(self):
        for read in (2, 0):
            status, output = self.run_check("each_source.py", "build")
            self.assertEqual(0, status, output)
            self.assertIn(f"{read} of 2 read", output)
        self.write("whole.h", "#pragma once\ninline std::string name() { return {}; }\n")
        status, output = self.run_check("each_source.py", "build")
        self.assertEqual(1, status, output)
        self.assertIn("2 of 2 read", output)

    def test_a_header_that_is_complete_only_beside_others_is_found(self):
        self.write("part.h", "#pragma once\ninline std::string other() { return {}; }\n")
        self.write("part.cpp", '#include <string>\n#include "part.h"\nstd::string both() { return other(); }\n')
        self.compile_commands("whole.cpp", "part.cpp")
        for _ in range(2):  # what failed is read again
            status, output = self.run_check("each_source.py", "build")
            self.assertEqual(1, status, output)
            self.assertIn("part.h cannot be compiled alone", output)
            self.assertIn("1 failed", output)

    def test_a_source_that_is_complete_only_beside_others_is_found(self):
        self.write("part.cpp", "std::string both() { return name(); }\n")
        self.compile_commands("whole.cpp", "part.cpp")
        status, output = self.run_check("each_source.py", "build")
        self.assertEqual(1, status, output)
        self.assertIn("part.cpp cannot be compiled alone", output)


@unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed (Debian: clang-tidy)")
class Tidy(Checkout):
    def setUp(self):
        super().setUp()
        self.bring("sources.py", "tidy.py")
        shutil.copy(ROOT / ".clang-tidy", self.root)
        self.write("harness/one.cpp", "int snake_case(int value) { return value; }  // one\n")
        self.write("harness/other.cpp", "int twice(int value) { return 2 * value; }\n")
        self.compile_commands("harness/one.cpp", "harness/other.cpp")

    def expect(self, status, read, failed, unit=1):
        got, output = self.run_check("tidy.py", "build", "--unit", str(unit))
        self.assertEqual(status, got, output)
        self.assertIn(f"{read} of {2 // unit} read, the others passed before; {failed} failed", output)
        return output

    def test_reads_what_changed_alone(self):
        self.expect(0, 2, 0)
        self.expect(0, 0, 0)
        self.write("harness/one.cpp", "int snake_case(int value) { return value; }  // another comment\n")
        self.expect(0, 1, 0)

    def test_another_clone_reads_what_differs_alone(self):
        self.expect(0, 2, 0)
        first, self.root = self.root, self.root.parent / "another"
        shutil.copytree(first, self.root)
        shutil.rmtree(first)
        self.compile_commands("harness/one.cpp", "harness/other.cpp")
        self.expect(0, 0, 0)
        self.write("harness/one.cpp", "int CamelCase(int value) { return value; }\n")
        self.expect(1, 1, 1)

    def test_a_name_of_another_form_is_found_each_time(self):
        self.write("harness/one.cpp", "int CamelCase(int value) { return value; }\n")
        for read in (2, 1):
            self.assertIn("invalid case style for function 'CamelCase'", self.expect(1, read, 1))
        self.assertIn("invalid case style for function 'CamelCase'", self.expect(1, 1, 1, unit=2))

    def test_a_fault_whose_exception_was_taken_away_is_found(self):
        self.write("harness/one.cpp", "int CamelCase(int value) { return value; }  // NOLINT\n")
        self.expect(0, 2, 0)
        self.write("harness/one.cpp", "int CamelCase(int value) { return value; }\n")
        self.expect(1, 1, 1)

    def test_other_settings_read_all_again(self):
        self.expect(0, 2, 0)
        settings = (self.root / ".clang-tidy").read_text()
        (self.root / ".clang-tidy").write_text(settings.replace("FunctionCase, value: lower_case", "FunctionCase, value: CamelCase"))
        self.expect(1, 2, 2)

    def test_sources_with_the_same_local_name_are_units_of_their_own(self):
        for name in ("one", "other"):
            self.write(f"harness/{name}.cpp", f"namespace {{\n\nint same() {{ return 1; }}\n\n}}  // namespace\n\nint {name}() {{ return same(); }}\n")
        status, output = self.run_check("tidy.py", "build")
        self.assertEqual(0, status, output)
        self.assertIn("2 of 2 read", output)

    def test_what_cannot_be_compiled_as_one_is_read_in_halves(self):
        self.write("harness/one.cpp", "static int same() { return 1; }\nint CamelCase() { return same(); }\n")
        self.write("harness/other.cpp", "static int same() { return 1; }\nint other() { return same(); }\n")
        output = self.expect(1, 1, 1, unit=2)
        self.assertIn("read in halves: one.cpp, other.cpp", output)
        self.assertIn("invalid case style for function 'CamelCase'", output)
        self.assertNotIn("redefinition", output)


class Run(Checkout):
    """The gate of a project whose parts are small."""

    PARTS = ("check-deps", "check-subjects", "check-format", "build", "test", "tidy", "sanitize", "tsan", "fuzz")

    def setUp(self):
        super().setUp()
        self.bring("run", "slow_tests.py", "slow-tests")

    def parts(self, **commands):
        commands = {"build": "sleep 1", "test": "sleep 1; mkdir -p build/release/Testing/Temporary; printf "
                    "'1/1 Test: a\\n[       OK ] Slow.One (9000 ms)\\n' > build/release/Testing/Temporary/LastTest.log"} | commands
        self.write("Makefile", ".PHONY: " + " ".join(self.PARTS) +
                   "".join(f"\n{part}:\n\t@{commands.get(part, 'true')}\n" for part in self.PARTS))

    def test_names_every_part_the_processor_and_the_ratio_to_its_build(self):
        self.parts()
        status, output = self.run_check("run")
        self.assertEqual(0, status, output)
        for part in self.PARTS:
            self.assertRegex(output, rf"gate: +\d+ s +\d+ s of processor  make {part}")
        self.assertRegex(output, r"in all; [0-9.]+ times its build")
        self.assertIn("9.0 s  Slow.One: no reason is given", output)
        self.assertRegex(output, r"gate: a new clone, \d+ cores, \S+")
        self.assertRegex(output, r"gate: ccache knew \d+ of \d+ compilations")
        self.assertRegex(self.run_check("run")[1], r"gate: a used clone, ")

    def test_ends_with_what_failed(self):
        for part in self.PARTS:
            self.parts(**{part: "false"})
            status, output = self.run_check("run")
            self.assertNotEqual(0, status, output)
            self.assertEqual(f"gate: failed in: make {part}" + (" FUZZ_SECONDS=20" if part == "fuzz" else ""),
                             output.strip().splitlines()[-1])


class SlowTests(unittest.TestCase):
    LOG = """
1/3 Test: ablate_tests_0
[       OK ] Suite.Fast (12 ms)
[       OK ] Suite.Slow (6001 ms)
[  FAILED  ] All/Suite.SlowToo/3, where GetParam() = "x" (7000 ms)
[----------] 3 tests from Suite (13013 ms total)
Test time =  13.10 sec
2/3 Test: kills
Test time =  12.00 sec
3/3 Test: pages
Test time =   0.10 sec
"""

    def test_reads_both_kinds(self):
        self.assertEqual({"Suite.Fast": 0.012, "Suite.Slow": 6.001, "All/Suite.SlowToo/3": 7, "kills": 12, "pages": 0.1},
                         slow_tests.times_of(self.LOG))

    def test_a_reason_is_of_a_test_or_of_all_that_start_so(self):
        reasons = slow_tests.reasons_of("# why\nkills: programs are started\nSuite.*: draws\n")
        self.assertEqual("programs are started", slow_tests.reason_for("kills", reasons))
        self.assertEqual("draws", slow_tests.reason_for("All/Suite.SlowToo/3", reasons))
        self.assertIn("no reason is given", slow_tests.reason_for("kills_at_removals", reasons))


if __name__ == "__main__":
    unittest.main()
