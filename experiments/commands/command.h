// One file a command: each adds itself to the program and says what it does when it is called.

#pragma once

#include <CLI/CLI.hpp>

#include "harness/contract/catalog.h"

namespace ablate::commands {

/// What every command is given, and where it leaves its exit code.
struct Program {
  CLI::App& app;
  const Catalog& catalog;
  int argc;
  char** argv;
  int exit_code = 0;
};

void add_plan(Program& program);
void add_run(Program& program);
void add_status(Program& program);
void add_show(Program& program);
void add_report(Program& program);
void add_preview(Program& program);
void add_describe(Program& program);
void add_schema(Program& program);
void add_collect(Program& program);
void add_doctor(Program& program);

}  // namespace ablate::commands
