// `ablate report`: writes the report of an experiment, in every format.

#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/stores/pdf_figures.h"
#include "experiments/commands/stores/report_folder.h"
#include "experiments/commands/stores/store_names.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/names.h"
#include "harness/run/progress/printable_stream.h"
#include "harness/run/progress/text.h"
#include "harness/store/index/records.h"
#include "reports/formats/archive.h"
#include "reports/report.h"
#include "reports/stores/side_by_side.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPaperFormat = "tex";  // the one that has drawings for papers
const std::string kArchiveName = "report.zip";

std::vector<std::string> all_formats() {
  const auto names = reports::report_formats();
  return {names.begin(), names.end()};
}

struct Options {
  std::vector<std::string> results;
  std::string out;
  bool json = false;
  std::vector<std::string> formats = all_formats();
  std::string venue;
};

bool has_paper_figures(const Options& options) {
  return std::ranges::find(options.formats, kPaperFormat) != options.formats.end();
}

/// The venue asked for. Throws std::invalid_argument where there is none of that name, or no figure
/// for a paper is written.
reports::Venue venue_of(const Options& options) {
  if (options.venue.empty()) return {};
  if (!has_paper_figures(options))
    reject("--venue: only the format tex has figures sized for a venue; add it to --format");
  return reports::venue_named(options.venue);
}

fs::path folder_of(const Options& options) {
  return options.out.empty() ? fs::path(options.results.front()) / "report" : fs::path(options.out);
}

/// What an environment variable says; empty where it is not set.
std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

/// The terminal that standard output is; empty for a pipe or a file. CLICOLOR_FORCE makes one of
/// those, too; NO_COLOR (no-color.org) takes its colours, and TERM=dumb those of a real one.
std::optional<reports::Terminal> terminal() {
  const std::string_view force = variable("CLICOLOR_FORCE");
  const bool forced = !force.empty() && force != "0", real = ::isatty(STDOUT_FILENO) == 1;
  if (!real && !forced) return std::nullopt;
  reports::Terminal result;
  result.colours = variable("NO_COLOR").empty() && (forced || variable("TERM") != "dumb");
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    result.columns = size.ws_col;
  return result;
}

/// Makes the files of the report and the PDFs of its drawings for papers, which are made while other
/// formats are, and writes them. Returns the file that a reader opens first.
fs::path write_report(const Options& options, const store::Records& records,
                      const reports::Report& report, const reports::Venue& venue) {
  const auto is_archive = [](const std::string& format) {
    return format == reports::kArchiveFormat;
  };
  const bool archived = std::ranges::any_of(options.formats, is_archive);
  const bool alone = archived && std::ranges::all_of(options.formats, is_archive);
  ReportFolder folder(folder_of(options), !options.out.empty());
  std::future<PdfFigures> drawn;
  report.files(alone ? all_formats() : options.formats, venue,
               [&](std::string_view format, std::vector<reports::ReportFile> made) {
                 for (const reports::ReportFile& file : made) folder.put(file);
                 if (format == kPaperFormat && has_paper_figures(options))
                   drawn = std::async(std::launch::async,
                                      [made = std::move(made)] { return pdf_figures(made); });
               });
  if (archived) {
    reports::write_archive(records, folder.unpublished(), folder.names(),
                           folder.unpublished() / kArchiveName);
    if (alone)
      folder.keep_only(kArchiveName);
    else
      folder.add(kArchiveName);
  }
  const PdfFigures figures = drawn.valid() ? drawn.get() : PdfFigures();
  for (const reports::ReportFile& file : figures.files) folder.put(file);
  fs::path shown = folder.publish();
  if (!figures.fault.empty()) std::cerr << "ablate: " << run::printable(figures.fault) << '\n';
  return shown;
}

/// The results of a folder, or of several side by side.
store::Records all_records(const std::vector<std::string>& folders) {
  if (folders.size() == 1) return store::load_records(folders.front());
  const std::vector<std::string> names = store_names(folders);
  std::vector<reports::NamedRecords> stores;
  std::set<fs::path> given;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (!given.insert(fs::weakly_canonical(folders[i])).second)
      reject("{}: was given twice; give each results folder once", folders[i]);
    stores.push_back({names[i], store::load_records(folders[i])});
  }
  return reports::side_by_side(std::move(stores));
}

int report(const Options& options) {
  if (options.results.size() > 1 && options.out.empty() && !options.json)
    reject("--out: a report of several results folders belongs to none of them; give it a folder");
  const reports::Venue venue = venue_of(options);
  const store::Records records = all_records(options.results);
  const reports::Report made(records);
  if (options.json) {
    std::cout << ascii_text(made.json(), 2) << '\n';
    if (!options.out.empty()) write_report(options, records, made, venue);
    return exit_ok;
  }
  const fs::path shown = write_report(options, records, made, venue);
  if (const auto seen = terminal())
    run::for_drawing(std::cout) << made.terminal_text(*seen);
  else
    std::cout << run::printable_lines(made.main_table_text());
  std::cout << "\nReport: " << run::printable(shown.string()) << '\n';
  return exit_ok;
}

}  // namespace

int report_folder(const std::string& results) { return report({.results = {results}}); }

void add_report(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "report", "Write the report of an experiment: tables, figures and numbers");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("DIR", options->results,
                   "the results folder, or several, to show side by side in one report")
      ->required();
  command->add_option(
      "--out", options->out,
      "folder for the report (default: DIR/report; with several DIRs there is no default)");
  command->add_flag(
      "--json", options->json,
      "print the report as one JSON document; files are written only if --out is given");
  command
      ->add_option("--format", options->formats,
                   fmt::format("formats to write: {}", fmt::join(reports::report_formats(), ", ")))
      ->delimiter(',');
  command->add_option(
      "--venue", options->venue,
      fmt::format(
          "venue whose column widths the figures in paper/ get: {} (default: the text's width)",
          fmt::join(reports::venue_names(), ", ")));
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return report(*options); }); });
}

}  // namespace ablate::commands
