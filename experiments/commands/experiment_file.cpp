#include "experiments/commands/experiment_file.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/plan/file/shipped.h"

namespace ablate::commands {

namespace {

constexpr const char* kFile = "FILE";
constexpr const char* kMeaning =
    "the experiment file, or the name of an experiment that comes with the program, such as "
    "masking_rate";

}  // namespace

void add_experiment_file(CLI::App& command, std::string& file) {
  command.add_option(kFile, file, kMeaning)->required();
}

bool reads_experiment(const CLI::App& command) {
  const CLI::Option* const file = command.get_option_no_throw(kFile);
  return file != nullptr && file->get_description() == kMeaning;
}

std::string experiment_file(const std::string& given) {
  std::error_code ignored;
  const std::filesystem::path path = given;
  if (path.has_extension() || std::filesystem::exists(path, ignored)) return given;
  if (const auto shipped = plan::shipped_file(given)) return shipped->string();
  const std::vector<std::string> names = plan::shipped_names();
  const auto beside = [&](const std::string& name) {
    return std::filesystem::path(name).parent_path() == path.parent_path();
  };
  if (std::ranges::none_of(names, beside)) return given;  // of a folder that is not the program's
  const std::vector<std::string_view> views(names.begin(), names.end());
  reject("'{}' is neither a file nor an experiment that comes with the program; {}", given,
         suggestion(given, views));
}

}  // namespace ablate::commands
