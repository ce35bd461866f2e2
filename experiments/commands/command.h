// The commands of `ablate`, one file each.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/contract/catalog.h"
#include "harness/plan/describe/find_named.h"

namespace ablate::commands {

/// What every command is given, and where it leaves its exit code (harness/base/exit_code.h).
struct Program {
  CLI::App& app;
  const Catalog& catalog;
  plan::FieldWords words;  // what the field calls things
  int argc;
  char** argv;
  int exit_code = 0;
};

// Each function adds one subcommand to the program, with its options and its action.

/// `ablate init NAME`: writes an experiment file to begin with.
void add_init(Program& program);
/// `ablate plan FILE`: shows what would be trained, at what price, and what it could show.
void add_plan(Program& program);
/// `ablate run FILE`: trains and measures everything that is not done yet.
void add_run(Program& program);
/// `ablate noise FILE`: measures how much metrics vary between seeds.
void add_noise(Program& program);
/// `ablate status DIR`: shows the progress of an experiment.
void add_status(Program& program);
/// `ablate show DIR TRIAL`: shows everything about one trial.
void add_show(Program& program);
/// `ablate report DIR`: writes the report, in every format.
void add_report(Program& program);
/// `ablate claims DIR...`: checks published results of the field against what was run.
void add_claims(Program& program);
/// `ablate diff A B`: compares two results folders.
void add_diff(Program& program);
/// `ablate export DIR...`: writes results in the formats of other tools.
void add_export(Program& program);
/// `ablate try DIR`: lets every trained arm fill the same blank.
void add_try(Program& program);
/// `ablate preview FILE`: shows what an arm's objective makes of texts.
void add_preview(Program& program);
/// `ablate describe [NAME]`: describes objectives, backbones, probes, metrics and settings.
void add_describe(Program& program);
/// `ablate schema`: prints the JSON Schema of experiment files.
void add_schema(Program& program);
/// `ablate collect`: merges the results of several machines.
void add_collect(Program& program);
/// `ablate doctor DIR`: verifies journals, checkpoints and index.
void add_doctor(Program& program);
/// `ablate bench`: times the program's benchmarks.
void add_bench(Program& program);
/// `ablate nightly FILE`: runs a night beside the baseline's programs, and judges it.
void add_nightly(Program& program);
/// `ablate gate`: judges a night, lists all, pins baselines, calibrates, tests itself.
void add_gate(Program& program);

/// `ablate completion SHELL`: prints what makes a shell complete the program's command lines.
void add_completion(Program& program);

/// `ablate manual FOLDER`: writes pages for man(1), and completions of shells.
void add_manual(Program& program);

/// Whether the command line is `ablate complete -- WORDS`, which the scripts of add_completion() call. Its words are
/// those of a line that is not finished, so that they are not parsed as others are.
bool completes(const Program& program);
/// Prints what may stand in place of the last word; returns the exit code. Requires: completes(program), and a program
/// with all its commands.
int complete(const Program& program);

/// Does what `ablate report RESULTS` does; returns its exit code. Throws as reading results does.
int report_folder(const std::string& results);

}  // namespace ablate::commands
