// `ablate run`: trains and measures the rest of an experiment. It can be stopped and run again.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "experiments/commands/command.h"
#include "experiments/commands/experiment_file.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/running/look_flags.h"
#include "experiments/commands/running/overrides.h"
#include "experiments/commands/running/run_options.h"
#include "experiments/commands/running/run_printing.h"
#include "experiments/commands/running/shard_command.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/number_text.h"
#include "harness/plan/make_plan.h"
#include "harness/plan/price/time/speed.h"
#include "harness/plan/seeds/looks.h"
#include "harness/plan/trial/plan.h"
#include "harness/run/ask_device.h"
#include "harness/run/ask_lanes.h"
#include "harness/run/folder_plan.h"
#include "harness/run/job/check_ranks.h"
#include "harness/run/progress/printable_stream.h"
#include "harness/run/progress/text.h"
#include "harness/run/sequential/held_looks.h"
#include "harness/run/sequential/run_looks.h"
#include "harness/run/shards/job_list.h"
#include "harness/run/shards/shard.h"
#include "harness/run/slurm/launch.h"
#include "harness/run/sweep.h"
#include "harness/run/tuning/freeze.h"
#include "harness/run/tuning/tried.h"
#include "harness/run/tuning/tune.h"
#include "harness/run/worker/machine.h"
#include "harness/store/folder/folder.h"
#include "harness/store/folder/lock.h"

namespace ablate::commands {
namespace {

/// Refuses a precision that what trains does not support.
void refuse_precision(const Machine& machine, const plan::Plan& plan) {
  if (machine.bfloat16_refusal.empty()) return;
  for (const plan::Trial& trial : plan.trials)
    if (trial.config.at("train").at("precision") == "bfloat16")
      reject("arm '{}': train.precision: {}, or \"auto\"", trial.arm, machine.bfloat16_refusal);
}

/// Stores the measured speeds for the estimates of later plans. If the cache cannot be written,
/// that is only a warning.
void remember(const plan::Speeds& measured) {
  if (measured.empty()) return;
  try {
    plan::Speeds known = plan::Speeds::read(plan::speeds_file());
    known.add_run(measured);
    known.write(plan::speeds_file());
  } catch (const std::runtime_error& error) {
    std::cerr << "warning: the speed of this machine could not be stored: "
              << run::printable(error.what()) << '\n';
  }
}

/// Splits the remaining trials into banks of the size that the device trains most efficiently.
run::Todo cut_by_measure(run::Todo todo, const plan::Plan& plan, const run::SweepSettings& settings,
                         bool talks) {
  return cut(std::move(todo), [&](const run::Chunk& chunk) {
    const run::LaneChoice choice = run::ask_lanes(chunk, plan.corpus, settings);
    if (talks)
      std::cerr << plan.name << ": " << choice.lanes << " of " << chunk.trials.size()
                << " trials of one shape train together (" << settings.devices[0]
                << ", measured up to " << choice.points.back().lanes << " lanes)\n";
    return to_json(choice);
  });
}

/// What all stages of a run have in common.
struct Session {
  const RunOptions& options;
  Catalog catalog;
  run::ProgressMode mode;
  std::optional<run::Shard> shard;  // that is run; none: all

  bool talks() const {
    return mode == run::ProgressMode::terminal || mode == run::ProgressMode::plain;
  }
};

/// Says what `store::FolderLock` waits for; nothing if it is not to wait.
std::function<void(const store::Holder&)> waiting_note(const RunOptions& options) {
  if (!options.wait) return nullptr;
  return [&options](const store::Holder& holder) {
    std::cerr << options.results << ": waiting for " << run::printable(holder.text()) << '\n';
  };
}

/// Trains and measures what is left of a plan in the locked folder of the settings.
run::SweepResult run_rest(const Session& session, const plan::Plan& plan,
                          const run::SweepSettings& settings, const store::FolderLock& lock) {
  const RunOptions& options = session.options;
  run::Todo todo = run::what_is_left(plan, settings);
  if (!given_lanes(options.lanes) && settings.devices[0] != "cpu")
    todo = cut_by_measure(std::move(todo), plan, settings, session.talks());
  if (session.talks()) print_outset(plan, todo, settings);
  std::ostream drawn = run::for_drawing(std::cerr);
  run::Progress progress(session.mode, drawn, run::monotonic_seconds, run::terminal_width);
  const double start = run::monotonic_seconds();
  run::SweepResult result = run::run_sweep(plan, todo, settings, lock, progress);
  if (result.fault && session.mode == run::ProgressMode::none)  // other modes have shown it
    std::cerr << "ablate: " << run::fault_text(*result.fault) << '\n';
  if (session.talks())
    print_summary(plan, result, run::monotonic_seconds() - start, settings.results.string(),
                  session.shard.has_value());
  remember(result.speeds);
  return result;
}

/// Freezes the plan in the folder and runs the rest of it.
int run_plan(const Session& session, const plan::Plan& plan, const run::PlanWith& plan_with,
             bool add, const run::SweepSettings& settings, const store::FolderLock& lock) {
  const run::FolderPlan kept = run::folder_plan(settings.results, plan, add, plan_with);
  if (!session.shard || !run::is_frozen(settings.results, kept.plan))
    store::freeze_plan(settings.results, kept.plan, plan.files);
  if (session.talks() && kept.removed > 0)
    std::cerr << "note: " << kept.removed << (kept.removed == 1 ? " trial" : " trials")
              << " of other settings left the plan of " << settings.results.string()
              << "; its journals stay in the folder\n";
  if (!session.shard) return run::exit_code_of(run_rest(session, plan, settings, lock));
  const run::Done done(settings.results, *session.shard);
  const plan::Plan part = run::part_of(plan, *session.shard);
  const run::SweepResult result = run_rest(session, part, settings, lock);
  if (result.unfinished == 0) done.write(part);
  return run::exit_code_of(result);
}

/// Refuses what several programs cannot do side by side.
void check_shard(const RunOptions& options, const plan::Plan& plan) {
  if (options.looks.until_decided)
    reject(
        "--shard and --until-decided: whether seeds are added depends on the results of all "
        "shards; give one or the other");
  if (options.report)
    reject(
        "--shard and --report: the report needs all shards; run `ablate report` when they are "
        "done");
  if (!plan.tuning.is_null())
    reject(
        "--shard: this experiment first chooses its learning rates, which needs the results of all "
        "shards; run it without --shard");
}

/// Gives the experiment to an engine that runs its shards elsewhere.
int launch(const Session& session, const plan::Plan& plan, const run::PlanWith& plan_with,
           const run::SweepSettings& settings) {
  const RunOptions& options = session.options;
  if (!options.shard.empty())
    reject("--launcher and --shard: the launcher's jobs are the shards; give one or the other");
  check_shard(options, plan);
  std::vector<std::string> command = shard_command(
      options.file, settings.results, settings.devices[0], options.ranks, options.overrides);
  if (options.add) command.push_back("--add");
  if (options.retry_failed) command.push_back("--retry-failed");
  const auto jobs = run::jobs_of(plan, {.command = std::move(command),
                                        .results = settings.results,
                                        .folder = std::filesystem::current_path(),
                                        .device = settings.devices[0],
                                        .shards = options.shards,
                                        .ranks = options.ranks});
  const run::SlurmLaunch launch{plan.name, settings.results, plan.launcher.at("slurm")};
  if (!options.dry_run) {
    run::check_launch(launch);
    const store::FolderLock lock(settings.results, waiting_note(options),
                                 store::Sharing::with_shards);
    const run::FolderPlan kept = run::folder_plan(settings.results, plan, options.add, plan_with);
    if (!run::is_frozen(settings.results, kept.plan))
      store::freeze_plan(settings.results, kept.plan, plan.files);
  }
  return run::launch_slurm(plan, jobs, launch, settings, options.dry_run, std::cout);
}

/// Runs the trials that try every learning rate, in a results folder within that of the settings.
run::TuningResult run_tuning(const Session& session, const run::SweepSettings& settings) {
  run::SweepSettings tuning = settings;
  tuning.results = run::tuning_folder(settings.results);
  const run::TuningStage stage = {
      .plan_with =
          [&](const std::vector<double>& rates) {
            const RunOptions& options = session.options;
            return plan::make_tuning_plan(session.catalog, options.file, options.overrides, rates);
          },
      .run =
          [&](const plan::Plan& plan) {
            refuse_precision(session.catalog.machine, plan);
            const store::FolderLock lock(tuning.results, waiting_note(session.options));
            run::freeze_tuning_plan(tuning.results, plan, session.options.add);
            return run::exit_code_of(run_rest(session, plan, tuning, lock));
          },
      .note =
          [&](const std::string& note) {
            if (session.talks()) std::cerr << run::printable(note) << '\n';
          }};
  return run::tune(stage, tuning.results);
}

/// Runs the experiment look by look, with more seeds each time, until its question is decided.
int run_until_decided(const Session& session, const plan::Plan& first, const MakePlan& make,
                      const run::SweepSettings& settings, const store::FolderLock& lock) {
  const RunOptions& options = session.options;
  const auto held = run::held_looks(settings.results);
  const plan::LookLimits& limits = options.looks.limits;
  const bool asked = limits.cap || limits.group;
  const statistics::Looks looks = held && !asked ? held->seeds : plan::planned_looks(first, limits);
  const std::size_t begun = held ? std::min(held->begun, looks.size()) : 1;
  const run::LookStage stage = {
      .run =
          [&](std::size_t look) {
            const auto plan_with = [&](const plan::TrialPlaces& places) {
              plan::Overrides overrides = options.overrides;
              overrides.held = places;
              return plan_at_look(make, std::move(overrides), first, looks, look);
            };
            // Beyond the look that a run starts with, seeds are all that may be new.
            return run_plan(session, plan_with({}), plan_with, options.add || look > begun,
                            settings, lock);
          },
      .judge = [&] { return judged(settings.results); },
      .note =
          [&](const std::string& note) {
            if (session.talks()) std::cerr << first.name << ": " << run::printable(note) << '\n';
          }};
  return run::run_looks(looks, begun, stage);
}

int run(const Program& program, const RunOptions& options) {
  check_look_flags(options.looks, options.overrides);
  const run::SweepSettings settings = settings_of(program, options);
  Session session{options, program.catalog, run::progress_mode(options.progress), {}};
  if (!options.shard.empty()) session.shard = run::shard_of(options.shard);
  session.catalog.machine =
      run::machine_of(settings.devices[0], session.catalog.machine, settings.worker);
  std::optional<plan::Tuned> tuned;
  const MakePlan make = [&](const plan::Overrides& overrides) {
    return tuned ? plan::make_tuned_plan(session.catalog, options.file, overrides, *tuned)
                 : plan::make_plan(session.catalog, options.file, overrides);
  };
  const auto plan_with = [&](const plan::TrialPlaces& held) {
    plan::Overrides overrides = options.overrides;
    overrides.held = held;
    return make(overrides);
  };
  plan::Plan plan = plan_with({});
  refuse_precision(session.catalog.machine, plan);
  run::check_ranks(plan, session.catalog, settings.ranks());
  if (!options.launcher.empty()) return launch(session, plan, plan_with, settings);
  if (session.shard) check_shard(options, plan);
  const store::FolderLock lock(settings.results, waiting_note(options),
                               session.shard ? store::Sharing::with_shards : store::Sharing::alone);
  if (!plan.tuning.is_null()) {
    run::TuningResult tuning = run_tuning(session, settings);
    if (!tuning.tuned) return tuning.exit_code;
    tuned = std::move(tuning.tuned);
    plan = plan_with({});
    refuse_precision(session.catalog.machine, plan);
  }
  if (options.looks.until_decided) return run_until_decided(session, plan, make, settings, lock);
  return run_plan(session, plan, plan_with, options.add, settings, lock);
}

}  // namespace

int run_experiment(const Program& program, const RunOptions& options) {
  return run(program, options);
}

void add_run(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "run", "Train and measure everything that is not done yet; run it again to continue");
  const auto options = std::make_shared<RunOptions>();
  add_experiment_file(*command, options->file);
  command->add_option("--results", options->results,
                      "the folder to keep results in (default: results/NAME, after the file)");
  add_overrides(*command, options->overrides);
  command->add_flag("--add", options->add,
                    "extend a results folder that holds other arms, seeds or settings");
  add_look_flags(*command, options->looks);
  add_workers(*command, options->workers);
  command
      ->add_option("--device,--devices", options->devices,
                   "cpu, or cuda:0,cuda:1 ... (default: cpu)")
      ->delimiter(',');
  command
      ->add_option("--measurers", options->measurers,
                   "with GPUs: number of CPU processes that measure trained trials while the GPUs "
                   "train the next; 0: the GPUs measure too (default: the cores left after one for "
                   "each GPU's worker, at least one)")
      ->check(CLI::Range(std::size_t{0}, kMaxProcesses));
  command->add_option("--lanes", options->lanes,
                      "maximum number of trials trained as one model, or auto: 1 on the CPU; on a "
                      "GPU, the fastest in a short measurement (default: auto)");
  command
      ->add_option("--ranks", options->ranks,
                   "processes that train each trial together, each with a part of the rows of a "
                   "batch (data parallel); a GPU each with --device (default: 1). Worth it where "
                   "there are fewer trials than cores or GPUs: see `ablate plan`")
      ->check(CLI::Range(std::size_t{1}, kMaxRanks));
  command
      ->add_option("--checkpoint-seconds", options->checkpoint_seconds,
                   "time between checkpoints (default: 60)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option(
          "--grace-seconds", options->grace_seconds,
          "how long a worker may take to stop with a checkpoint before it is killed (default: 120)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--shard", options->shard,
                      "3/16: run the third of sixteen parts; the others may run in the same folder "
                      "at the same time, here or on other machines");
  command
      ->add_option("--lease-seconds", options->lease_seconds,
                   "with --shard: take over a trial when its program on another machine has given "
                   "no sign of life for this long (default: 120)")
      ->check(CLI::Range(1.0, 1e6));
  const auto launcher = command->add_option(
      "--launcher", options->launcher,
      "slurm: submit the experiment to Slurm as arrays of shards and a job that writes the report, "
      "with the settings in the file's \"launcher\"; run it again to submit what is missing");
  launcher->check(CLI::IsMember({"slurm"}));
  command
      ->add_option("--shards", options->shards,
                   "with --launcher: the number of parts (default: enough that each takes about "
                   "ten minutes)")
      ->check(CLI::PositiveNumber)
      ->needs(launcher);
  command
      ->add_flag("--dry-run", options->dry_run,
                 "with --launcher: print the scripts and submit nothing")
      ->needs(launcher);
  add_progress(*command, *options);
  command->add_flag("--retry-failed", options->retry_failed,
                    "run failed trials again (diverged ones would diverge again)");
  command->add_flag("--fail-fast", options->fail_fast, "stop when a trial fails");
  command->add_flag("--wait", options->wait, "wait for another run in the same folder");
  command->add_flag("--report", options->report,
                    "write the report, as `ablate report` does, when all trials are done");
  // The jobs have their usual values: what they would not get is refused, not dropped.
  for (const char* flag : {"--workers", "--lanes", "--measurers", "--checkpoint-seconds",
                           "--grace-seconds", "--lease-seconds", "--fail-fast"})
    launcher->excludes(command->get_option(flag));
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      options->file = experiment_file(options->file);
      const std::filesystem::path name = std::filesystem::path(options->file).stem();
      if (options->results.empty())
        options->results = (std::filesystem::path("results") / name).string();
      const int code = run(program, *options);
      return code == exit_ok && options->report ? report_folder(options->results) : code;
    });
  });
}

}  // namespace ablate::commands
