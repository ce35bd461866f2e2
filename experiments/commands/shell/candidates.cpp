#include "experiments/commands/shell/candidates.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "experiments/commands/experiment_file.h"
#include "experiments/commands/shell/declared.h"
#include "harness/plan/describe/families.h"
#include "harness/plan/file/shipped.h"
#include "harness/plan/read/experiment.h"
#include "harness/store/folder/folder.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

/// A line that is being typed.
struct Line {
  const CLI::App* command;  // the innermost that was named; the program's itself before that
  std::vector<std::string> before;  // words after the command, but for the last
  std::string last;

  std::string previous() const { return before.empty() ? "" : before.back(); }

  /// The first word that is neither a flag nor what follows one.
  std::string first_positional() const {
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!before[i].starts_with('-') && (i == 0 || !takes_value(before[i - 1]))) return before[i];
    return "";
  }

  bool takes_value(const std::string& flag) const {
    const CLI::Option* const option =
        flag.starts_with("--") ? command->get_option_no_throw(flag) : nullptr;
    return option != nullptr && option->get_items_expected_max() > 0;
  }
};

Line parsed(const CLI::App& app, std::vector<std::string> words) {
  Line line{&app, {}, words.empty() ? "" : std::move(words.back())};
  if (!words.empty()) words.pop_back();
  for (const std::string& word : words) {
    const auto inner = commands_of(*line.command);
    const auto named = std::ranges::find(inner, word, &CLI::App::get_name);
    if (line.before.empty() && named != inner.end())
      line.command = *named;
    else
      line.before.push_back(word);
  }
  return line;
}

/// Folders here and in results/ that hold a plan.
void add_results(Names& names) {
  std::error_code error;
  for (const fs::path folder : {".", "results"})
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (std::error_code absent; fs::exists(at->path() / "plan.json", absent))
        names.insert(at->path().lexically_normal().string());
}

/// The arms of an experiment file, or of a results folder.
void add_arms(const Catalog& catalog, const std::string& source, Names& names) try {
  std::error_code error;
  if (fs::is_directory(source, error)) {
    for (const Json& arm : store::read_plan(source).at("arms")) names.insert(arm.at("name"));
    return;
  }
  for (const plan::ResolvedArm& arm :
       plan::read_experiment(catalog, experiment_file(source), {}).arms)
    names.insert(arm.name);
} catch (const std::exception&) {  // no such file, or a faulty one: there is nothing to offer
}

/// "path=" for each setting of a member or section; with a `path` and "=" in what is typed, its values.
void add_setting(const Param& param, const std::string& path, const std::string& typed,
                 Names& names) {
  const std::string own = fmt::format("{}.{}", path, param.name);
  if (plan::has_fields(param)) {
    for (const Param& field : param.fields)
      if (!field.name.empty()) add_setting(field, own, typed, names);
    return;
  }
  if (!typed.starts_with(own + "=")) {
    names.insert(own + "=");
    return;
  }
  for (const std::string_view choice : plan::choices_of(param))
    names.insert(fmt::format("{}={}", own, choice));
  if (param.kind == Kind::toggle)
    for (const char* value : {"true", "false"}) names.insert(fmt::format("{}={}", own, value));
}

void add_settings(const Catalog& catalog, const std::string& typed, Names& names) {
  const plan::Families families = plan::families_without_metrics(catalog);
  const auto add_family = [&](std::string_view family, const std::string& path, bool named) {
    for (const plan::Entry& entry : families.at(family)) {
      if (const auto* const member = std::get_if<plan::Member>(&entry.details)) {
        for (const Param& param : member->params)
          add_setting(param, named ? fmt::format("{}.{}", path, entry.name) : path, typed, names);
      } else if (const auto* const setting = std::get_if<plan::Setting>(&entry.details)) {
        if (*setting != nullptr) add_setting(**setting, path, typed, names);
      }
    }
  };
  add_family("objectives", "objective", false);
  add_family("backbones", "model", false);
  add_family("corpora", "corpus", false);
  add_family("probes", "probes", true);
  for (const char* section : {"train", "match", "analysis", "tuning", "limits"})
    add_family(section, section, false);
  names.insert("seeds=");
}

void add_described(const Catalog& catalog, const std::string& typed, Names& names) {
  const bool is_metric = typed.find('.') != typed.npos;
  for (const auto& [family, entries] :
       is_metric ? plan::families_of(catalog) : plan::families_without_metrics(catalog)) {
    names.emplace(family);
    for (const plan::Entry& entry : entries)
      if (!std::holds_alternative<plan::Setting>(entry.details)) names.insert(entry.name);
  }
}

void add_experiments(Names& names) {
  for (std::string& name : plan::shipped_names()) names.insert(std::move(name));
}

/// What may follow a flag; nothing where it is the name of a file, a number or a text.
void add_values(const Catalog& catalog, const Line& line, Names& names) {
  const std::string flag = line.previous();
  if (flag == "--set") {
    add_settings(catalog, line.last, names);
  } else if (flag == "--arm" || flag == "--drop") {
    add_arms(catalog, line.first_positional(), names);
  } else if (flag == "--like") {
    add_experiments(names);
  } else if (flag == "--results" || flag == "--noise") {
    add_results(names);
  }
}

void add_positionals(const Catalog& catalog, const Line& line, Names& names) {
  for (const CLI::App* inner : commands_of(*line.command)) names.insert(inner->get_name());
  if (line.command->get_name() == "describe") add_described(catalog, line.last, names);
  if (reads_experiment(*line.command) && line.first_positional().empty()) add_experiments(names);
  for (const char* folder : {"DIR", "RESULTS", "A", "B", "FROM"})
    if (line.command->get_option_no_throw(folder) != nullptr) add_results(names);
  if (line.command->get_name() == "completion") names = {"bash", "fish", "zsh"};
}

}  // namespace

std::vector<std::string> candidates(const CLI::App& app, const Catalog& catalog,
                                    std::vector<std::string> words) {
  const Line line = parsed(app, std::move(words));
  Names names;
  if (line.last.starts_with('-'))
    for (std::string& flag : flags_of(*line.command)) names.insert(std::move(flag));
  else if (line.takes_value(line.previous()))
    add_values(catalog, line, names);
  else
    add_positionals(catalog, line, names);
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(line.last); });
  return {names.begin(), names.end()};
}

}  // namespace ablate::commands
