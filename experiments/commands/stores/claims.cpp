// `ablate claims`: checks published results of the field against results folders.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/stores/new_folder.h"
#include "experiments/commands/stores/store_names.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/json/json_source.h"
#include "harness/plan/file/shipped.h"
#include "harness/run/progress/text.h"
#include "harness/store/index/records.h"
#include "reports/claims/claims_document.h"
#include "reports/claims/claims_json.h"
#include "reports/claims/read_claims.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

struct ClaimsOptions {
  std::vector<std::string> results;
  std::string claims;
  std::string out;
  bool json = false;
};

/// The file that is given, or the shipped one.
reports::ClaimSet claims_in(const ClaimsOptions& options) {
  const fs::path file = options.claims.empty() ? plan::shipped_experiments() / "claims.json"
                                               : fs::path(options.claims);
  if (!fs::is_regular_file(file))
    reject("{}: there is no such file; give a file of claims, or leave --claims out",
           file.string());
  return reports::read_claims(file.string(), read_file(file, JsonSource::kMaxBytes));
}

/// The folder of the experiment files, as a command line names it best.
std::string experiments_folder() {
  return fs::is_regular_file("experiments/quickstart.json") ? "experiments"
                                                            : plan::shipped_experiments().string();
}

/// Says that no claim is about the experiment of a store.
void note_unclaimed(const reports::ClaimSet& set, const reports::ClaimStore& store) {
  const std::string& experiment = store.analysis->experiment;
  const auto is_about = [&](const reports::Claim& claim) { return claim.experiment == experiment; };
  if (std::any_of(set.claims.begin(), set.claims.end(), is_about)) return;
  std::cerr << "note: " << run::printable(store.folder) << ": is of experiment '"
            << run::printable(experiment)
            << "', and no claim is about it; for claims of your own give --claims FILE\n";
}

/// Writes the page, in which no folder of this machine is named: it is handed around.
void write_page(const std::string& file, const reports::ClaimSet& set,
                std::vector<reports::ClaimStore> stores) {
  std::vector<std::string> folders;
  folders.reserve(stores.size());
  for (const reports::ClaimStore& store : stores) folders.push_back(store.folder);
  const std::vector<std::string> names = store_names(folders);
  for (std::size_t i = 0; i < stores.size(); ++i) stores[i].folder = names[i];
  const auto judged = reports::judge_claims(set, stores, "experiments");
  write_file(file, reports::claims_page(set, judged));
}

int claims(const ClaimsOptions& options) {
  const reports::ClaimSet set = claims_in(options);
  if (!options.out.empty()) check_new_file("--out", options.out);
  std::vector<store::Records> records;
  std::vector<reports::Analysis> analyses;
  std::vector<reports::ClaimStore> stores;
  records.reserve(options.results.size());   // analyses point into them
  analyses.reserve(options.results.size());  // and stores into these
  for (const std::string& results : options.results) {
    records.push_back(store::load_records(results));
    analyses.push_back(reports::analyse(records.back()));
    stores.push_back({results, &analyses.back()});
  }
  for (const reports::ClaimStore& each : stores) note_unclaimed(set, each);
  const auto judged = reports::judge_claims(set, stores, experiments_folder());
  if (!options.out.empty()) write_page(options.out, set, stores);
  if (options.json)
    std::cout << ascii_text(reports::claims_json(set, judged), 2) << '\n';
  else
    std::cout << run::printable_lines(reports::claims_text(set, judged));
  return exit_ok;
}

}  // namespace

void add_claims(Program& program) {
  CLI::App* command =
      program.app.add_subcommand("claims", "Check published results against your own runs");
  const auto options = std::make_shared<ClaimsOptions>();
  command
      ->add_option("RESULTS", options->results,
                   "results folders of the shipped experiments, in any order")
      ->required();
  command->add_option("--claims", options->claims,
                      "the file of claims (default: the shipped experiments' claims.json)");
  command->add_option("--out", options->out, "also write a page in Markdown to this file");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return claims(*options); }); });
}

}  // namespace ablate::commands
