// `ablate run`: trains and measures the rest of an experiment. It can be stopped and run again.

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/overrides.h"
#include "experiments/commands/run_options.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/number_text.h"
#include "harness/plan/make_plan.h"
#include "harness/plan/price/speed.h"
#include "harness/plan/trial/plan.h"
#include "harness/run/ask_device.h"
#include "harness/run/ask_lanes.h"
#include "harness/run/folder_plan.h"
#include "harness/run/progress/text.h"
#include "harness/run/sweep.h"
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

void print_outset(const plan::Plan& plan, const run::Todo& todo,
                  const run::SweepSettings& settings) {
  std::size_t trials = 0, trained = 0;
  std::vector<double> pieces;
  const plan::Speeds speeds = plan::Speeds::read(plan::speeds_file());
  for (const run::Chunk& chunk : todo.chunks) {
    trials += chunk.trials.size();
    trained += chunk.trained;
    const bool all_trained = chunk.trained == chunk.trials.size();
    pieces.push_back(all_trained ? speeds.overhead_seconds(chunk.trials, settings.devices[0])
                                 : speeds.seconds(chunk.trials, settings.devices[0]));
  }
  const std::size_t workers = std::min(settings.devices.size(), todo.chunks.size());
  const double seconds = plan::makespan(pieces, workers);
  for (const std::string& warning : plan.warnings)
    std::cerr << "warning: " << run::printable(warning) << '\n';
  std::cerr << plan.name << ": " << trials << " of " << plan.trials.size() << " trials to run";
  if (trained > 0) std::cerr << " (" << trained << " of them already trained, but not measured)";
  std::cerr << ", " << workers << (workers == 1 ? " worker" : " workers");
  std::size_t lanes = 0;
  for (const run::Chunk& chunk : todo.chunks) lanes = std::max(lanes, chunk.trials.size());
  if (lanes > 1) std::cerr << " of up to " << lanes << " lanes";
  if (trials > 0 && seconds > 0) std::cerr << ", about " << duration_text(seconds);
  std::cerr << '\n';
}

void print_summary(const plan::Plan& plan, const run::SweepResult& result, double seconds,
                   const RunOptions& options) {
  std::cerr << plan.name << ": " << result.completed << " of " << plan.trials.size()
            << " trials completed";
  if (result.failed > 0) std::cerr << ", " << result.failed << " failed";
  if (result.diverged > 0) std::cerr << ", " << result.diverged << " diverged";
  if (result.unfinished > 0) std::cerr << ", " << result.unfinished << " are not finished";
  std::cerr << ", in " << duration_text(seconds) << ".\n";
  if (result.failed > 0)
    std::cerr << "Why trials failed: ablate status " << options.results
              << "\nTo try them again: the same command with --retry-failed\n";
  if (result.unfinished > 0)
    std::cerr << "To go on where this command stopped, run it again.\n";
  else
    std::cerr << "Next: ablate report " << options.results << '\n';
}

/// Stores the measured speeds for the estimates of later plans. If the cache cannot be written,
/// that is only a warning.
void remember(const plan::Speeds& measured) {
  if (measured.empty()) return;
  try {
    plan::Speeds known = plan::Speeds::read(plan::speeds_file());
    known.renew(measured);
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

int run(const Program& program, const RunOptions& options) {
  const run::ProgressMode mode = run::progress_mode(options.progress);
  const run::SweepSettings settings = settings_of(program, options);
  Catalog catalog = program.catalog;
  catalog.machine = run::machine_of(settings.devices[0], catalog.machine, settings.worker);
  const auto plan_with = [&](const plan::TrialPlaces& held) {
    plan::Overrides overrides = options.overrides;
    overrides.held = held;
    return plan::make_plan(catalog, options.file, overrides);
  };
  const plan::Plan plan = plan_with({});
  refuse_precision(catalog.machine, plan);
  const auto waiting = [&](const store::Holder& holder) {
    std::cerr << options.results << ": waiting for " << run::printable(holder.text()) << '\n';
  };
  const store::FolderLock lock(
      settings.results, options.wait ? waiting : std::function<void(const store::Holder&)>());
  const run::FolderPlan kept = run::folder_plan(settings.results, plan, options.add, plan_with);
  store::freeze_plan(settings.results, kept.plan, read_file(options.file));
  run::Todo todo = run::what_is_left(plan, settings);
  const bool talks = mode == run::ProgressMode::terminal || mode == run::ProgressMode::plain;
  if (talks && kept.removed > 0)
    std::cerr << "note: " << kept.removed << (kept.removed == 1 ? " trial" : " trials")
              << " of other settings left the plan of " << options.results
              << "; its journals stay in the folder\n";
  if (!given_lanes(options.lanes) && settings.devices[0] != "cpu")
    todo = cut_by_measure(std::move(todo), plan, settings, talks);
  if (talks) print_outset(plan, todo, settings);
  run::Progress progress(mode, std::cerr, run::monotonic_seconds, run::terminal_width);
  const double start = run::monotonic_seconds();
  const run::SweepResult result = run::run_sweep(plan, todo, settings, lock, progress);
  if (result.fault && mode == run::ProgressMode::none)  // other modes have shown it
    std::cerr << "ablate: " << run::fault_text(*result.fault) << '\n';
  if (talks) print_summary(plan, result, run::monotonic_seconds() - start, options);
  remember(result.speeds);
  return run::exit_code_of(result);
}

}  // namespace

void add_run(Program& program) {
  CLI::App* command = program.app.add_subcommand(
      "run", "Train and measure everything that is not done yet; run it again to go on");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("FILE", options->file, "the experiment file")->required();
  command->add_option("--results", options->results, "the folder that results are kept in")
      ->required();
  add_overrides(*command, options->overrides);
  command->add_flag("--add", options->add,
                    "extend a results folder that holds other arms, seeds or settings");
  command->add_option("--workers", options->workers,
                      "processes, one thread each (default: one per core, or one per GPU)");
  command
      ->add_option("--device,--devices", options->devices,
                   "cpu, or cuda:0,cuda:1 ... (default: cpu)")
      ->delimiter(',');
  command
      ->add_option("--measurers", options->measurers,
                   "with GPUs: processes on the CPU that measure what is trained, while the GPUs "
                   "train on; 0: the GPUs measure, too (default: one per core beside one for each "
                   "GPU's worker, at least one)")
      ->check(CLI::Range(0, 4096));
  command->add_option(
      "--lanes", options->lanes,
      "maximum number of trials trained as one model, or auto: 1 on the CPU; on a GPU, "
      "the best of a short measurement (default: auto)");
  command
      ->add_option("--checkpoint-seconds", options->checkpoint_seconds,
                   "time between checkpoints (default: 60)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--grace-seconds", options->grace_seconds,
                   "time that a worker has to stop with a checkpoint before it is killed "
                   "(default: 120)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--progress", options->progress, "auto, plain, json or none");
  command->add_flag("--retry-failed", options->retry_failed,
                    "run failed trials again (diverged ones would diverge again)");
  command->add_flag("--fail-fast", options->fail_fast, "stop when a trial fails");
  command->add_flag("--wait", options->wait, "wait for another run in the same folder");
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return run(program, *options); }); });
}

}  // namespace ablate::commands
