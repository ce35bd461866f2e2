// `ablate schema`: prints the JSON Schema of experiment files.

#include <iostream>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/plan/describe/schema.h"

namespace ablate::commands {

void add_schema(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "schema", "Print the JSON Schema of experiment files, for editors");
  command->callback([&program] {
    program.exit_code = guarded([&] {
      std::cout << plan::experiment_schema(program.catalog).dump(2) << '\n';
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
