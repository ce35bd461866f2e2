// `ablate plan`: shows what an experiment would train, what that costs, and what it could show.

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/commands/command.h"
#include "experiments/commands/experiment_file.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/running/look_flags.h"
#include "experiments/commands/running/noise_sentence.h"
#include "experiments/commands/running/overrides.h"
#include "experiments/commands/running/plan_text.h"
#include "experiments/commands/running/rank_sentence.h"
#include "experiments/commands/running/run_options.h"
#include "experiments/commands/running/shard_command.h"
#include "harness/base/exit_code.h"
#include "harness/plan/make_plan.h"
#include "harness/plan/trial/plan.h"
#include "harness/plan/trial/plan_json.h"
#include "harness/run/ask_device.h"
#include "harness/run/job/check_ranks.h"
#include "harness/run/progress/text.h"
#include "harness/run/shards/job_list.h"
#include "harness/run/worker/machine.h"

namespace ablate::commands {
namespace {

struct PlanOptions {
  std::string file;
  plan::Overrides overrides;
  LookFlags looks;
  std::string noise;  // a results folder, or "none"; empty: what `ablate noise` has left
  std::string device = "cpu";
  bool json = false;
  std::string jobs;        // jsonl or sh; empty: none
  std::size_t ranks = 1;   // of each job
  std::size_t shards = 0;  // of the jobs; 0: such that each takes about ten minutes
  std::string results;     // that the jobs fill
};

/// Prints a command for each shard.
void print_jobs(const PlanOptions& options, const Catalog& catalog, const plan::Plan& plan) {
  if (!plan.tuning.is_null() || options.looks.until_decided)
    reject(
        "--jobs: an experiment that chooses its learning rates or runs until it is decided needs "
        "the results of all trials as it runs; run it without shards");
  const std::filesystem::path results =
      std::filesystem::absolute(options.results).lexically_normal();
  run::check_ranks(plan, catalog, options.ranks);
  for (const run::ShardJob& job :
       run::jobs_of(plan, {.command = shard_command(options.file, results, options.device,
                                                    options.ranks, options.overrides),
                          .results = results,
                          .folder = std::filesystem::current_path(),
                          .device = options.device,
                          .shards = options.shards,
                          .ranks = options.ranks}))
    std::cout << (options.jobs == "sh" ? run::shell_line(job) : run::json_line(job));
}

/// The plan that the options ask for; of an experiment that is run until it is decided, that of its
/// first look.
plan::Plan planned(const Catalog& catalog, const PlanOptions& options) {
  check_look_flags(options.looks, options.overrides);
  const MakePlan make = [&](const plan::Overrides& overrides) {
    return plan::make_plan(catalog, options.file, overrides);
  };
  plan::Plan plan = make(options.overrides);
  if (!options.looks.until_decided) return plan;
  return plan_at_look(make, options.overrides, plan,
                      plan::planned_looks(plan, options.looks.limits), 1);
}

/// Adds what is known about noise to the sentence on power.
void add_noise_sentence(const PlanOptions& options, plan::Plan& plan) {
  if (options.noise == "none") return;
  const std::string sentence =
      options.noise.empty() ? stored_noise_sentence(plan) : noise_sentence(plan, options.noise);
  if (sentence.empty()) return;
  std::erase(plan.warnings, plan.power);
  plan.power += sentence;
}

}  // namespace

void add_plan(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "plan", "Check an experiment and estimate its cost; nothing is trained");
  const auto options = std::make_shared<PlanOptions>();
  add_experiment_file(*command, options->file);
  add_overrides(*command, options->overrides);
  add_look_flags(*command, options->looks);
  add_workers(*command, options->overrides.workers, "one per core; used only to estimate the time");
  command->add_option("--device", options->device,
                      "the device that will train: cpu (default), cuda:0 and so on; it decides "
                      "what precision \"auto\" means, and so the trials' ids");
  command->add_option("--noise", options->noise,
                      "a results folder with earlier trials of these arms, such as `ablate noise` "
                      "writes; the plan then says, in the metric's unit, how small a difference "
                      "the seeds can find (default: noise/NAME if it exists; none: leave it out)");
  const auto json = command->add_flag("--json", options->json, "print one JSON document");
  const auto jobs = command->add_option("--jobs", options->jobs,
                                        "jsonl or sh: print one command per line, each of which "
                                        "runs one part; for a scheduler or GNU parallel");
  jobs->check(CLI::IsMember({"jsonl", "sh"}))->excludes(json);
  command
      ->add_option(
          "--shards", options->shards,
          "with --jobs: the number of parts (default: enough that each takes about ten minutes)")
      ->check(CLI::PositiveNumber)
      ->needs(jobs);
  command
      ->add_option("--ranks", options->ranks,
                   "with --jobs: processes that train each trial together (default: 1)")
      ->check(CLI::Range(std::size_t{1}, kMaxRanks))
      ->needs(jobs);
  command
      ->add_option("--results", options->results,
                   "with --jobs: the folder that the jobs fill, which all machines must see "
                   "(default: results/NAME)")
      ->needs(jobs);
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      options->file = experiment_file(options->file);
      if (options->results.empty())
        options->results =
            (std::filesystem::path("results") / std::filesystem::path(options->file).stem())
                .string();
      Catalog catalog = program.catalog;
      if (options->device != "cpu")
        catalog.machine = run::machine_of(checked_device("--device", options->device),
                                          catalog.machine, run::find_worker());
      plan::Plan plan = planned(catalog, *options);
      add_noise_sentence(*options, plan);
      if (!options->jobs.empty()) {
        print_jobs(*options, catalog, plan);
      } else if (options->json) {
        write_json(std::cout, plan);
        std::cout << '\n';
      } else {
        const bool on_gpu = options->device != "cpu";
        std::cout << run::printable_lines(plan_text(plan, on_gpu));
        if (const std::string sentence = on_gpu ? "" : rank_sentence(plan, catalog);
            !sentence.empty())
          std::cout << sentence << '\n';
      }
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
