// `ablate noise`: measures how much metrics vary between seeds, before an experiment is run.

#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <numeric>

#include "experiments/commands/command.h"
#include "experiments/commands/experiment_file.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/running/noise_sentence.h"
#include "experiments/commands/running/run_options.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/plan/file/overrides.h"
#include "harness/plan/file/sweep.h"
#include "harness/plan/make_plan.h"
#include "harness/run/progress/text.h"
#include "harness/store/index/records.h"
#include "reports/formats/markdown.h"
#include "reports/tables/comparisons/noise_tables.h"

namespace ablate::commands {
namespace {

constexpr const char* kNoiseFile = "noise.json";
constexpr std::int64_t kMaxFirstSeed = 1'000'000'000;

struct NoiseOptions {
  RunOptions run;
  std::vector<std::string> arms;  // empty: the baseline
  bool all_arms = false;
  std::int64_t seeds = 8;
  std::int64_t first_seed = 1;
  bool json = false;
};

std::string baseline_of(const plan::Plan& plan) {
  for (const plan::Plan::Arm& arm : plan.arms)
    if (arm.baseline) return arm.name;
  throw std::logic_error("a plan has no baseline");
}

/// Refuses a value of --arm that names none of the plan's arms.
void check_arm(const plan::Plan& plan, const std::string& given) {
  const std::string pattern = plan::canonical_name(given);
  std::vector<std::string_view> names;
  for (const plan::Plan::Arm& arm : plan.arms) {
    if (plan::names_arm(pattern, arm.name)) return;
    names.push_back(arm.name);
  }
  reject("--arm {}: no arm has this name; {}", given.substr(0, 200), suggestion(given, names));
}

/// The run of the arms and seeds that are measured.
RunOptions run_of(const NoiseOptions& options, const plan::Plan& plan) {
  if (options.all_arms && !options.arms.empty())
    reject("--all-arms: measures every arm; leave out --arm, or leave out --all-arms");
  if (!plan.tuning.is_null())
    reject(
        "{}: tunes its learning rates first; measure the noise at one rate: --set "
        "tuning=null --set train.learning_rate=...",
        options.run.file);
  RunOptions run = options.run;
  std::vector<std::int64_t> seeds(static_cast<std::size_t>(options.seeds));
  std::iota(seeds.begin(), seeds.end(), options.first_seed);
  run.overrides.set.push_back(fmt::format("seeds=[{}]", fmt::join(seeds, ",")));
  if (options.all_arms) return run;
  std::vector<std::string> arms = options.arms;
  if (arms.empty()) arms.push_back(baseline_of(plan));
  for (const std::string& arm : arms) check_arm(plan, arm);
  for (std::string& arm : arms) arm.insert(0, "arm=");
  run.overrides.only.push_back(fmt::format("{}", fmt::join(arms, ",")));
  return run;
}

/// What the journals say, with where it is from.
Json document_of(const store::Records& records, const reports::Analysis& analysis,
                 std::int64_t comparisons) {
  Json document = reports::noise_json(analysis, comparisons);
  Json trials = Json::array();
  for (const store::TrialRecord& trial : records.trials)
    trials.push_back({{"id", trial.id},
                      {"arm", trial.arm},
                      {"seed", trial.seed},
                      {"outcome", trial.outcome},
                      {"ended", trial.ended}});
  document["trials"] = std::move(trials);
  return document;
}

int noise(const Program& program, NoiseOptions options) {
  const plan::Plan plan = plan::make_plan(program.catalog, options.run.file, options.run.overrides);
  if (options.run.results.empty()) options.run.results = noise_folder(plan);
  const int code = run_experiment(program, run_of(options, plan));
  if (code != exit_ok && code != exit_some_failed) return code;
  const store::Records records = store::load_records(options.run.results);
  const reports::Analysis analysis = reports::analyse(records);
  const Json document = document_of(records, analysis, plan.comparisons);
  write_file(std::filesystem::path(options.run.results) / kNoiseFile,
             ascii_text(document, 2) + '\n');
  if (options.json) {
    std::cout << ascii_text(document, 2) << '\n';
    return code;
  }
  std::string text;
  for (const reports::Table& table : reports::noise_tables(analysis, plan.comparisons))
    text += reports::to_markdown(table) + '\n';
  if (text.empty()) text = "No arm has two values of any metric, so the noise is unknown.\n";
  std::cout << run::printable_lines(text);
  return code;
}

}  // namespace

void add_noise(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "noise",
      "Measure how much metrics vary between seeds, and what differences n seeds can find");
  const auto options = std::make_shared<NoiseOptions>();
  add_experiment_file(*command, options->run.file);
  command->add_option("--results", options->run.results,
                      "the folder to keep results in (default: noise/NAME, after the experiment; "
                      "`ablate plan` looks there)");
  command
      ->add_option("--arm", options->arms,
                   "an arm to measure (default: the baseline); to measure a paired difference, "
                   "give the baseline and another arm")
      ->allow_extra_args(false);
  command->add_flag("--all-arms", options->all_arms, "measure every arm");
  command->add_option("--seeds", options->seeds, "number of seeds per arm (default: 8)")
      ->check(CLI::Range(2, 1000));
  command
      ->add_option("--first-seed", options->first_seed,
                   "the first seed (default: 1, so that the experiment can share the trials)")
      ->check(CLI::Range(std::int64_t{0}, kMaxFirstSeed));
  command->add_option("--set", options->run.overrides.set, "path=value: change the experiment")
      ->allow_extra_args(false);
  add_workers(*command, options->run.workers);
  command
      ->add_option("--device,--devices", options->run.devices,
                   "cpu, or cuda:0,cuda:1 ... (default: cpu)")
      ->delimiter(',');
  add_progress(*command, options->run);
  command->add_flag("--add", options->run.add,
                    "extend a results folder that holds other arms, seeds or settings");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      options->run.file = experiment_file(options->run.file);
      return noise(program, *options);
    });
  });
}

}  // namespace ablate::commands
