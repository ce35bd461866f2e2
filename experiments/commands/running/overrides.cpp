#include "experiments/commands/running/overrides.h"

namespace ablate::commands {

void add_overrides(CLI::App& command, plan::Overrides& overrides) {
  command.add_option("--set", overrides.set, "path=value: change the experiment")
      ->allow_extra_args(false);
  command.add_option("--arm", overrides.arms, "NAME:path=value,path=value: add an arm")
      ->allow_extra_args(false);
  command.add_option("--only", overrides.only, "arm=NAME or seed=1..3: these trials and no others")
      ->allow_extra_args(false);
  command.add_option("--drop", overrides.drop, "NAME: all arms but this one")
      ->allow_extra_args(false);
}

}  // namespace ablate::commands
