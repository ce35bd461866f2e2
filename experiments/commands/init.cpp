// `ablate init`: writes an experiment file to begin with.

#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/file/shipped.h"

namespace ablate::commands {
namespace {

// Trains in about a minute on two cores.
constexpr std::string_view kBeginning =
    R"(// What differs between the arms, and what is measured? Say here what you expect, before you run it.
//
//   ablate plan NAME.json            what it would train, how long that takes, what it can show
//   ablate run  NAME.json --report   trains, measures and writes results/NAME/report/report.html
//
// `ablate describe` lists all that can stand here, `ablate describe masked_lm` tells about one of them.
{
  "name": "NAME",
  "question": "Does masking 40 % of the tokens serve masked LM better than masking 15 %?",

  // The built-in language, whose optimum is known exactly. For texts of your own, a document a paragraph:
  //   "corpus": {"kind": "text", "paths": ["texts"], "documents": "blank_lines",
  //              "tokenizer": {"kind": "bpe", "vocabulary": 1000}},
  "corpus": {"kind": "language", "tokens": 1010000},

  // What all arms have in common. An arm changes any of it by its path, such as "train.learning_rate".
  "model": {"backbone": "transformer", "depth": 2, "width": 64, "heads": 4, "context": 64},
  "train": {"budget": {"tokens": 1000000}, "batch": 16, "learning_rate": 3e-3, "schedule": "cosine"},
  "match": {"on": ["parameters", "tokens"]},  // an experiment whose arms differ in these is refused

  "arms": [
    {"name": "clm", "set": {"objective": {"type": "causal_lm"}}},
    {"name": "mlm", "set": {"objective": {"type": "masked_lm"}}, "grid": {"objective.rate": [0.15, 0.40]}}
  ],
  "baseline": "mlm[rate=0.15]",  // which all others are compared with, seed by seed
  "seeds": 8,

  "probes": ["held_out", "classification", "generation"],
  "analysis": {
    "primary": "topic.accuracy",  // the metric that decides, chosen before the run
    "smallest_effect": 0.02       // differences below this do not matter
  }
}
)";

struct InitOptions {
  std::string name, like;
};

/// `text` with every `from` replaced.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// `text` without the line that holds `what`.
std::string without_line(std::string text, std::string_view what) {
  const std::size_t at = text.find(what);
  if (at == text.npos) return text;
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.erase(begin, text.find('\n', at) + 1 - begin);
}

/// `text` with `prefix` before each name of the list that it extends.
std::string extending(std::string text, std::string_view prefix) {
  constexpr std::string_view kList = "\"extends\": [";
  std::size_t at = text.find(kList);
  if (at == text.npos) return text;
  bool opens = true;
  for (at += kList.size(); at < text.size() && text[at] != ']'; ++at) {
    if (text[at] != '"') continue;
    if (opens) {
      text.insert(at + 1, prefix);
      at += prefix.size();
    }
    opens = !opens;
  }
  return text;
}

/// The shipped experiment `like` under another name, which reads what it extends from the program.
std::string copied(const std::string& like, const std::string& name) {
  const auto file = plan::shipped_file(like);
  if (!file) {
    const std::vector<std::string> shipped = plan::shipped_names();
    const std::vector<std::string_view> names(shipped.begin(), shipped.end());
    reject("--like {}: no experiment of this name comes with the program; {}", like,
           suggestion(like, names));
  }
  std::string text = without_line(read_file(*file), "\"$schema\"");
  const std::string folder = like.substr(0, like.find_last_of('/') + 1);
  const std::string old = fmt::format("\"name\": \"{}\"", like.substr(folder.size()));
  // An arm further down may have the experiment's name.
  if (const std::size_t at = text.find(old); at != text.npos)
    text.replace(at, old.size(), fmt::format("\"name\": \"{}\"", name));
  return extending(std::move(text), std::string(plan::kShippedPrefix) + folder);
}

int run(const InitOptions& options) {
  std::filesystem::path file = options.name;
  if (file.extension() != ".json") file += ".json";
  const std::string name = file.stem();
  if (!plan::is_name(name))
    reject("'{}' cannot name an experiment: {}", name.substr(0, 80), plan::name_rule(name));
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    reject("{} exists already; choose another name, or remove it", file.string());
  write_file(file, options.like.empty() ? replaced(std::string(kBeginning), "NAME", name)
                                        : copied(options.like, name));
  std::cout << fmt::format("Wrote {0}. Next:\n  ablate plan {0}\n  ablate run  {0} --report\n",
                           file.string());
  return exit_ok;
}

}  // namespace

void add_init(Program& program) {
  CLI::App* const command = program.app.add_subcommand("init", "Write a first experiment file");
  const auto options = std::make_shared<InitOptions>();
  command
      ->add_option(
          "NAME", options->name,
          "name of the experiment, with or without a folder in front; the file is NAME.json")
      ->required();
  command->add_option("--like", options->like,
                      "copy an experiment that comes with the program, such as masking_rate");
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return run(*options); }); });
}

}  // namespace ablate::commands
