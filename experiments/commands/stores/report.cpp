// `ablate report`: writes the report of an experiment, in every format.

#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/stores/pdf_figures.h"
#include "experiments/commands/stores/store_names.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/links.h"
#include "harness/base/names.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/base/posix/replace_file.h"
#include "harness/run/progress/printable_stream.h"
#include "harness/run/progress/text.h"
#include "harness/store/index/records.h"
#include "reports/outdated.h"
#include "reports/report.h"
#include "reports/stores/side_by_side.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPaperFormat = "tex";  // the one that has drawings for papers

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

fs::path folder_of(const Options& options) {
  return options.out.empty() ? fs::path(options.results.front()) / "report" : fs::path(options.out);
}

/// Refuses links on the way to a file of the report. The folder that --out names may be one.
void refuse_links(const Options& options, const fs::path& name) {
  fs::path folder = folder_of(options);
  if (options.out.empty()) refuse_link(folder);
  for (const fs::path& part : name.parent_path()) refuse_link(folder /= part);
}

/// Writes the files, removes tables and drawings of an earlier report that they do not replace, and
/// returns the file that a reader opens first.
fs::path write_files(const Options& options, const std::vector<reports::ReportFile>& files) {
  const fs::path out = folder_of(options);
  fs::path shown;
  std::error_code ignored;
  for (const reports::ReportFile& file : files) refuse_links(options, file.name);
  for (const reports::ReportFile& file : files) {
    make_folder((out / file.name).parent_path());
    const std::string_view bytes = file.bytes;
    replace_file(out / file.name, std::span(&bytes, 1), Synced::no);
    if (shown.empty() || file.name == "report.html") shown = out / file.name;
  }
  for (const fs::path& file : reports::outdated_files(out, files)) fs::remove(file, ignored);
  return shown;
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
fs::path write_report(const Options& options, const reports::Report& report,
                      const reports::Venue& venue) {
  std::future<PdfFigures> drawn;
  std::vector<reports::ReportFile> files =
      report.files(options.formats, venue, [&](std::string_view format, const auto& made) {
        if (format == kPaperFormat && has_paper_figures(options))
          drawn = std::async(std::launch::async, [made] { return pdf_figures(made); });
      });
  PdfFigures figures = drawn.valid() ? drawn.get() : PdfFigures();
  std::ranges::move(figures.files, std::back_inserter(files));
  fs::path shown = write_files(options, files);
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
    if (!options.out.empty()) write_report(options, made, venue);
    return exit_ok;
  }
  const fs::path shown = write_report(options, made, venue);
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
