// `ablate export`: results in the formats of other tools.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "experiments/commands/command.h"
#include "experiments/commands/experiment_file.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/stores/new_folder.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/data/language/language_files.h"
#include "harness/plan/read/experiment.h"
#include "harness/run/progress/text.h"
#include "harness/store/index/records.h"
#include "reports/export/exporters.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::vector<std::string> results;
  std::string to;
  std::string out;
};

std::string listed_exporters() {
  std::string text;
  for (const reports::Exporter& each : reports::exporters())
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", each.name, each.about);
  return text;
}

int export_results(const ExportOptions& options) {
  const reports::Exporter& exporter = reports::exporter_named(options.to);
  const fs::path folder = (fs::absolute(options.out) / "").lexically_normal().parent_path();
  check_new_folder(folder);
  std::vector<store::Records> records;
  std::vector<reports::Analysis> analyses;
  std::set<std::string> names;
  records.reserve(options.results.size());  // analyses point into them
  for (const std::string& results : options.results) {
    records.push_back(store::load_records(results));
    analyses.push_back(reports::analyse(records.back()));
    if (!names.insert(analyses.back().experiment).second)
      reject(
          "{}: another of the folders also holds experiment '{}'; export them separately, or merge "
          "them with `ablate collect`",
          results, analyses.back().experiment);
  }
  const std::vector<reports::ReportFile> files = exporter.files({analyses, folder});
  write_new_folder(folder, files);
  std::cout << files.size() << " files: " << run::printable(options.out) << '\n';
  return exit_ok;
}

/// Writes the language of an experiment, its text, and the optimum by document.
int export_language(const Catalog& catalog, const std::string& file, const std::string& out) {
  const fs::path folder = (fs::absolute(out) / "").lexically_normal().parent_path();
  check_new_folder(folder);
  const plan::Experiment experiment = plan::read_experiment(catalog, file, {});
  if (experiment.corpus_kind != "language")
    reject("{}: its corpus is of kind '{}', and only the built-in language can be exported", file,
           experiment.corpus_kind);
  Json dials = experiment.corpus;
  dials.erase("kind");
  std::vector<reports::ReportFile> files;
  for (data::LanguageFile& made : data::language_files(Params(data::language_params(), dials)))
    files.push_back({std::move(made.name), std::move(made.bytes)});
  write_new_folder(folder, files);
  std::cout << files.size() << " files: " << run::printable(out) << '\n';
  return exit_ok;
}

/// `ablate export language FILE --out FOLDER`.
void add_export_language(Program& program, CLI::App& parent) {
  CLI::App* command = parent.add_subcommand(
      "language",
      "Write an experiment's built-in language as NumPy files and JSON Lines: matrices, text, "
      "hidden states, and the optimum of each document");
  const auto file = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  add_experiment_file(*command, *file);
  command->add_option("--out", *out, "the folder to write, which must be new or empty")->required();
  command->callback([&program, file, out] {
    program.exit_code =
        guarded([&] { return export_language(program.catalog, experiment_file(*file), *out); });
  });
}

}  // namespace

void add_export(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("export", "Write results in the formats of other tools");
  add_export_language(program, *command);
  const auto options = std::make_shared<ExportOptions>();
  command->add_option("RESULTS", options->results,
                      "results folders, each of a different experiment");
  command->add_option("--to", options->to, "the format: " + listed_exporters());
  command->add_option("--out", options->out, "the folder to write, which must be new or empty");
  command->callback([&program, command, options] {
    if (!command->get_subcommands().empty()) return;  // `ablate export language`
    program.exit_code = guarded([&] {
      if (options->results.empty()) reject("export: give a results folder, or `language FILE`");
      if (options->to.empty()) reject("export: give --to: {}", listed_exporters());
      if (options->out.empty()) reject("export: give --out, the folder to write");
      return export_results(*options);
    });
  });
}

}  // namespace ablate::commands
