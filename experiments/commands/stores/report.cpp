// `ablate report`: writes the report of an experiment, in every format.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/stores/records_of.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/run/progress/text.h"
#include "reports/outdated.h"
#include "reports/report.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> all_formats() {
  const auto names = reports::report_formats();
  return {names.begin(), names.end()};
}

struct Options {
  std::string results;
  std::string out;
  bool json = false;
  std::vector<std::string> formats = all_formats();
  std::string venue;
};

/// The venue asked for. Throws std::invalid_argument where there is none of that name, or no figure
/// for a paper is written.
reports::Venue venue_of(const Options& options) {
  if (options.venue.empty()) return {};
  if (std::find(options.formats.begin(), options.formats.end(), "tex") == options.formats.end())
    reject("--venue: only the format tex has figures for a venue's pages; add it to --format");
  return reports::venue_named(options.venue);
}

/// Throws std::invalid_argument if the folder cannot be made because of its name.
void make_folder(const fs::path& out) {
  std::error_code error;
  try {
    fs::create_directories(out);
  } catch (const fs::filesystem_error& thrown) {
    if (is_disk_fault(thrown)) throw;
    error = thrown.code();
  }
  if (error || !fs::is_directory(out)) {
    reject("--out: {} is not a folder that can be written to{}; give another one", out.string(),
           error ? ": " + error.message() : "");
  }
}

/// Writes the files, removes tables and drawings of an earlier report that they do not replace, and
/// returns the file that a reader opens first.
fs::path write_files(const Options& options, const std::vector<reports::ReportFile>& files) {
  const fs::path out =
      options.out.empty() ? fs::path(options.results) / "report" : fs::path(options.out);
  fs::path shown;
  std::error_code ignored;
  for (const reports::ReportFile& file : files) {
    make_folder((out / file.name).parent_path());
    write_file(out / file.name, file.bytes);
    if (shown.empty() || file.name == "report.html") shown = out / file.name;
  }
  for (const fs::path& file : reports::outdated_files(out, files)) fs::remove(file, ignored);
  return shown;
}

int report(const Options& options) {
  const reports::Venue venue = venue_of(options);
  const store::Records records = records_of(options.results);
  const reports::Report made(records);
  if (options.json) {
    std::cout << ascii_text(made.json(), 2) << '\n';
    if (!options.out.empty()) write_files(options, made.files(options.formats, venue));
    return exit_ok;
  }
  const std::vector<reports::ReportFile> files = made.files(options.formats, venue);
  std::cout << run::printable_lines(made.main_table_text());
  std::cout << "\nReport: " << write_files(options, files).string() << '\n';
  return exit_ok;
}

}  // namespace

void add_report(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "report", "Write the report of an experiment: tables, figures and numbers");
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_option("--out", options->out, "folder of the report (default: DIR/report)");
  command->add_flag(
      "--json", options->json,
      "print the report as one JSON document, and write files only if --out is given");
  command
      ->add_option("--format", options->formats,
                   fmt::format("formats to write: {}", fmt::join(reports::report_formats(), ", ")))
      ->delimiter(',');
  command->add_option("--venue", options->venue,
                      fmt::format("widths of the figures in paper/: {} (default: the text's width)",
                                  fmt::join(reports::venue_names(), ", ")));
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return report(*options); }); });
}

}  // namespace ablate::commands
