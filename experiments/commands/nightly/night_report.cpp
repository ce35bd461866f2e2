#include "experiments/commands/nightly/night_report.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/links.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/index.h"
#include "harness/run/progress/text.h"
#include "harness/run/worker/process.h"
#include "reports/nightly/annotations.h"
#include "reports/nightly/history_page.h"
#include "reports/nightly/night_page.h"

namespace ablate::commands {
namespace {

reports::InconclusiveAs inconclusive_as(const VerdictOptions& options) {
  if (options.inconclusive == "pass") return reports::InconclusiveAs::skipped;
  return options.inconclusive == "fail" ? reports::InconclusiveAs::failure
                                        : reports::InconclusiveAs::error;
}

bool annotates(const VerdictOptions& options) {
  if (!options.annotate.empty()) return options.annotate == "github";
  const char* const github = std::getenv("GITHUB_ACTIONS");
  return github != nullptr && std::string_view(github) == "true";
}

// What it prints goes to `log`. A verdict stands whether it could be told or not.
void notify(const std::string& command, const nightly::Judged& judged,
            const std::filesystem::path& log) {
  run::Process process(std::vector<std::string>{"/bin/sh", "-c", command},
                       ascii_text(nightly::json_of(judged), 2) + '\n', log);
  while (!process.over()) process.awaited_lines();
  const int status = process.status();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  std::cerr << run::printable_lines(fmt::format(
      "ablate: the command of --notify failed ({}), so nobody was told the verdict: {}\n{}\n",
      nightly::ending_text(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)),
      command, run::last_lines(log)));
}

}  // namespace

void add_verdict_options(CLI::App& command, VerdictOptions& options) {
  command.add_flag("--json", options.json, "print the verdict as one JSON document");
  command
      .add_option("--inconclusive", options.inconclusive,
                  "exit status of an inconclusive night: tell (5, the default), pass (0) or fail "
                  "(4); a night without data is always 5")
      ->check(CLI::IsMember({"tell", "pass", "fail"}));
  command.add_option("--notify", options.notify,
                     "a shell command to run, which reads the verdict (JSON) on standard input, "
                     "such as: --notify 'mail -s nightly ada@example.org'");
  command
      .add_option("--annotate", options.annotate,
                  "annotations to print on standard error: github (the default if GITHUB_ACTIONS "
                  "is true) or none")
      ->check(CLI::IsMember({"github", "none"}));
}

void say(const std::string& line) { std::cerr << run::printable(line) << std::endl; }

int report_night(const std::filesystem::path& night, const VerdictOptions& options) {
  const nightly::Judged judged = nightly::judge(night);
  for (const reports::ReportFile& file : reports::night_files(judged, inconclusive_as(options)))
    write_file(night / file.name, file.bytes);
  if (annotates(options)) std::cerr << run::printable_lines(reports::github_annotations(judged));
  if (options.json) {
    std::cout << ascii_text(nightly::json_of(judged), 2) << '\n';
  } else {
    for (const nightly::Finding& finding : judged.findings)
      if (finding.verdict != nightly::Verdict::pass)
        std::cout << name_of(finding.verdict) << "  " << run::printable(finding.series) << ": "
                  << run::printable(finding.reason) << '\n';
    std::cout << run::printable(reports::text_of(reports::night_page(judged).answer)) << '\n'
              << "Page: " << (night / "index.html").string() << '\n';
  }
  if (!options.notify.empty()) notify(options.notify, judged, night / "notify.log");
  if (judged.verdict == nightly::Verdict::inconclusive && options.inconclusive != "tell")
    return options.inconclusive == "pass" ? exit_ok : exit_regression;
  return nightly::exit_code_of(judged.verdict);
}

std::filesystem::path write_history(const std::filesystem::path& home,
                                    const nightly::History& history) {
  for (const reports::ReportFile& file : reports::history_files(history)) {
    const std::filesystem::path room = std::filesystem::path(file.name).parent_path();
    if (!room.empty()) refuse_link(home / room);  // the home itself may be one
    std::filesystem::create_directories(home / room);
    write_file(home / file.name, file.bytes);
  }
  nightly::write_index(nightly::Home(home), history);
  return home / "index.html";
}

}  // namespace ablate::commands
