#include "experiments/commands/nightly/night_report.h"

#include <iostream>

#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/index.h"
#include "harness/run/progress/text.h"
#include "reports/nightly/history_page.h"
#include "reports/nightly/night_page.h"

namespace ablate::commands {

void add_verdict_options(CLI::App& command, VerdictOptions& options) {
  command.add_flag("--json", options.json, "print the verdict as one JSON document");
  command
      .add_option("--inconclusive", options.inconclusive,
                  "what an inconclusive night is to who asks for the exit status: tell (5, the "
                  "default), pass (0) or fail (4); no data is 5 always")
      ->check(CLI::IsMember({"tell", "pass", "fail"}));
}

int report_night(const std::filesystem::path& night, const VerdictOptions& options) {
  const nightly::Judged judged = nightly::judge(night);
  for (const reports::ReportFile& file : reports::night_files(judged))
    write_file(night / file.name, file.bytes);
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
  if (judged.verdict == nightly::Verdict::inconclusive && options.inconclusive != "tell")
    return options.inconclusive == "pass" ? exit_ok : exit_regression;
  return nightly::exit_code_of(judged.verdict);
}

std::filesystem::path write_history(const std::filesystem::path& home,
                                    const nightly::History& history) {
  for (const reports::ReportFile& file : reports::history_files(history)) {
    std::filesystem::create_directories((home / file.name).parent_path());
    write_file(home / file.name, file.bytes);
  }
  nightly::write_index(nightly::Home(home), history);
  return home / "index.html";
}

}  // namespace ablate::commands
