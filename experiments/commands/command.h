// The commands of `ablate`, one file each.

#pragma once

#include <CLI/CLI.hpp>

#include "harness/contract/catalog.h"

namespace ablate::commands {

/// What every command is given, and where it leaves its exit code (harness/base/exit_code.h).
struct Program {
  CLI::App& app;
  const Catalog& catalog;
  int argc;
  char** argv;
  int exit_code = 0;
};

// Each adds its subcommand to the program, with its options and what is done when it is called.

/// `ablate plan FILE`: what would be trained, at what price, and what it could show.
void add_plan(Program& program);
/// `ablate run FILE`: trains and measures what is not done yet.
void add_run(Program& program);
/// `ablate status DIR`: how far a results folder is.
void add_status(Program& program);
/// `ablate show DIR TRIAL`: everything about one trial.
void add_show(Program& program);
/// `ablate report DIR`: what the records say, in every format.
void add_report(Program& program);
/// `ablate preview FILE`: what an arm's objective makes of texts.
void add_preview(Program& program);
/// `ablate describe [NAME]`: objectives, backbones, probes, metrics and settings.
void add_describe(Program& program);
/// `ablate schema`: the JSON Schema of experiment files.
void add_schema(Program& program);
/// `ablate collect`: brings together the trials that several machines ran.
void add_collect(Program& program);
/// `ablate doctor DIR`: verifies journals, checkpoints and index.
void add_doctor(Program& program);

}  // namespace ablate::commands
