// `ablate describe`: describes objectives, backbones, probes, metrics and settings.

#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/exit_code.h"
#include "harness/plan/describe/describe.h"
#include "harness/plan/describe/description.h"

namespace ablate::commands {
namespace {

struct DescribeOptions {
  std::string name;
  bool json = false;
};

}  // namespace

void add_describe(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "describe", "Describe objectives, backbones, probes, metrics and settings");
  const auto options = std::make_shared<DescribeOptions>();
  command->add_option(
      "NAME", options->name,
      "a family (objectives, backbones, probes, metrics, corpora, train or phases) or one member");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      if (options->json)
        std::cout << plan::describe(program.catalog, options->name).dump(2) << '\n';
      else
        std::cout << plan::description(program.catalog, options->name);
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
