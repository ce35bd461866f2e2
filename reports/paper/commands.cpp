#include "reports/paper/commands.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "harness/base/text/shell.h"
#include "reports/text/latex.h"
#include "reports/text/portable.h"

namespace ablate::reports {
namespace {

/// An argument of a command as a document has it: without the folders of the machine.
std::string portable_argument(const std::string& argument) {
  if (!argument.starts_with('/')) return without_folders(argument);
  return std::filesystem::path(argument).lexically_normal().filename().string();
}

/// The different command lines that started trials, an argument an element.
std::vector<std::vector<std::string>> recorded_commands(const Analysis& analysis) {
  std::vector<std::vector<std::string>> lines;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials) {
      if (!trial->provenance.is_object()) continue;
      std::vector<std::string> line;
      for (const Json& argument : trial->provenance.value("arguments", Json::array()))
        if (argument.is_string()) line.push_back(argument.get<std::string>());
      if (!line.empty() && std::ranges::count(lines, line) == 0) lines.push_back(std::move(line));
    }
  return lines;
}

/// Arguments as one writes them to a shell, without the folders of the machine.
std::string shell_text(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments)
    line += (line.empty() ? "" : " ") + shell_word(portable_argument(argument));
  return line;
}

}  // namespace

std::string commands_text(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const auto& arguments : recorded_commands(analysis))
    if (std::string line = shell_text(arguments); std::ranges::count(lines, line) == 0)
      lines.push_back(std::move(line));
  return lines.empty() ? "not recorded" : fmt::format("{}", fmt::join(lines, "; "));
}

namespace {

/// The flags of a command line of `ablate run` that decide what is trained, with their values.
std::vector<std::string> deciding_flags(const std::vector<std::string>& arguments) {
  const std::map<std::string_view, std::size_t> counts = {
      {"--set", 1}, {"--arm", 1},   {"--only", 1}, {"--drop", 1},
      {"--cap", 1}, {"--group", 1}, {"--add", 0},  {"--until-decided", 0}};
  std::vector<std::string> flags;
  std::size_t values = 0;  // that may still follow
  for (const std::string& argument : arguments) {
    if (argument.starts_with('-')) {
      const std::size_t equals = argument.find('=');
      const auto known = counts.find(std::string_view(argument).substr(0, equals));
      values = known == counts.end() || equals != argument.npos ? 0 : known->second;
      if (known != counts.end()) flags.push_back(argument);
    } else if (values > 0) {
      --values;
      flags.push_back(argument);
    }
  }
  return flags;
}

}  // namespace

std::string repeat_text(const Analysis& analysis) {
  const std::string folder = "results/" + label_part(analysis.experiment);
  std::vector<std::string> lines;
  for (const auto& arguments : recorded_commands(analysis)) {
    std::vector<std::string> line = {"ablate", "run", "experiment.json", "--results", folder};
    for (std::string& flag : deciding_flags(arguments)) line.push_back(std::move(flag));
    if (std::string text = shell_text(line); std::ranges::count(lines, text) == 0)
      lines.push_back(std::move(text));
  }
  if (lines.empty()) lines.push_back("ablate run experiment.json --results " + folder);
  // What was added to a folder was added to one that was there.
  std::stable_partition(lines.begin(), lines.end(),
                        [](const std::string& line) { return line.find(" --add") == line.npos; });
  lines.push_back(fmt::format("ablate report {} --format tex,zip --out report", folder));
  return fmt::format("{}", fmt::join(lines, "; "));
}

}  // namespace ablate::reports
