#include "experiments/commands/running/shard_command.h"

#include <fmt/core.h>

#include <utility>

#include "harness/base/posix/program.h"

namespace ablate::commands {

std::vector<std::string> shard_command(const std::filesystem::path& file,
                                       const std::filesystem::path& results,
                                       const std::string& device, std::size_t ranks,
                                       const plan::Overrides& overrides) {
  std::vector<std::string> command = {(program_folder() / "ablate").string(),
                                      "run",
                                      std::filesystem::absolute(file).lexically_normal().string(),
                                      "--results",
                                      results.string(),
                                      "--workers",
                                      "1"};
  if (device != "cpu") {
    std::string devices =
        ranks > 1 ? "cuda:0" : device;  // a job numbers the GPUs that it was given
    for (std::size_t rank = 1; rank < ranks; ++rank) devices += fmt::format(",cuda:{}", rank);
    command.insert(command.end(), {"--device", devices});
  }
  if (ranks > 1) command.insert(command.end(), {"--ranks", std::to_string(ranks)});
  for (const auto& [flag, values] : {std::pair("--set", overrides.set),
                                     {"--arm", overrides.arms},
                                     {"--only", overrides.only},
                                     {"--drop", overrides.drop}})
    for (const std::string& value : values) command.insert(command.end(), {flag, value});
  return command;
}

}  // namespace ablate::commands
