#include "experiments/commands/running/overrides.h"

namespace ablate::commands {

void add_overrides(CLI::App& command, plan::Overrides& overrides) {
  command.add_option("--set", overrides.set, "path=value: change the experiment")
      ->allow_extra_args(false);
  command.add_option("--arm", overrides.arms, "NAME:path=value,path=value: add an arm")
      ->allow_extra_args(false);
  command.add_option("--only", overrides.only, "arm=NAME or seed=1..3: run only these trials")
      ->allow_extra_args(false);
  command.add_option("--drop", overrides.drop, "NAME: leave out this arm")->allow_extra_args(false);
}

}  // namespace ablate::commands
