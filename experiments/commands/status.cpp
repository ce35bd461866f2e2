// `ablate status`: shows the progress of an experiment, while it runs and afterwards.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/time_text.h"
#include "harness/base/exit_code.h"
#include "harness/base/number_text.h"
#include "harness/run/progress/text.h"
#include "harness/run/slurm/launch.h"
#include "harness/store/index/status.h"

namespace ablate::commands {
namespace {

Json json_of(const store::TrialStatus& trial) {
  return {{"id", trial.id},
          {"arm", trial.arm},
          {"seed", trial.seed},
          {"outcome", trial.outcome},
          {"running", trial.running},
          {"attempts", trial.attempts},
          {"step", trial.step},
          {"steps", trial.steps},
          {"loss", std::isfinite(trial.loss) ? Json(trial.loss) : Json()},
          {"seconds", trial.seconds},
          {"missing", trial.missing},
          {"message", trial.message}};
}

/// `timed`: whether to say where the time of each trial went.
Json json_of(const store::Status& status, const std::string& results, bool timed) {
  Json trials = Json::array();
  for (const store::TrialStatus& trial : status.trials) {
    trials.push_back(json_of(trial));
    if (timed) trials.back()["time"] = time_json(trial.time);
  }
  Json holder;
  if (status.holder) holder = {{"pid", status.holder->pid}, {"host", status.holder->host}};
  Json document = {{"experiment", status.experiment},
                   {"results", results},
                   {"counts", status.counts},
                   {"running", holder},
                   {"trials", trials}};
  if (const auto state = run::slurm_state(results)) document["slurm"] = *state;
  return document;
}

std::string step_text(const store::TrialStatus& trial) {
  if (trial.attempts == 0) return "-";
  return trial.steps > 0 ? fmt::format("{}/{}", trial.step, trial.steps)
                         : fmt::format("{}", trial.step);
}

std::string loss_text(const store::TrialStatus& trial) {
  return std::isfinite(trial.loss) ? fmt::format("{:.4f}", trial.loss) : "-";
}

std::string outcome_text(const store::TrialStatus& trial) {
  if (trial.running) return "running";
  if (trial.trained) return "trained, not measured";
  return trial.attempts == 0 ? "waiting" : run::printable(trial.outcome);
}

void print_table(const store::Status& status) {
  std::size_t widest = 3, outcome = 10;
  for (const store::TrialStatus& trial : status.trials) {
    widest = std::max(widest, trial.arm.size());
    outcome = std::max(outcome, outcome_text(trial).size());
  }
  const int arm_width = static_cast<int>(widest), outcome_width = static_cast<int>(outcome);
  const auto row = [&](const auto& arm, const auto& seed, const auto& ended, const auto& step,
                       const auto& loss, const auto& seconds, const auto& id) {
    std::cout << std::left << std::setw(arm_width) << arm << std::right << std::setw(6) << seed
              << "  " << std::left << std::setw(outcome_width) << ended << std::right
              << std::setw(15) << step << std::setw(10) << loss << std::setw(13) << seconds << "  "
              << id << '\n';
  };
  row("arm", "seed", "outcome", "step", "loss", "time", "trial");
  for (const store::TrialStatus& trial : status.trials)
    row(run::printable(trial.arm), trial.seed, outcome_text(trial), step_text(trial),
        loss_text(trial), trial.attempts == 0 ? "-" : duration_text(trial.seconds),
        run::printable(trial.id));
}

/// `timed`: whether to say where the time went.
void print(const store::Status& status, const std::string& results, bool timed) {
  std::cout << run::printable(status.experiment) << ": " << status.trials.size() << " trials";
  for (const auto& [outcome, count] : status.counts)
    if (count > 0) std::cout << ", " << count << ' ' << run::printable(outcome);
  std::cout << (status.holder ? "; run by " + run::printable(status.holder->text())
                              : "; not running")
            << "\n\n";
  if (const auto state = run::slurm_state(results)) std::cout << state->text() << "\n\n";
  print_table(status);
  for (const store::TrialStatus& trial : status.trials)
    if (!trial.message.empty())
      std::cout << '\n'
                << run::printable(trial.arm) << " seed " << trial.seed << " ("
                << run::printable(trial.id) << "): " << run::printable(trial.message) << '\n';
  if (timed) print_times(std::cout, status);
}

}  // namespace

void add_status(Program& program) {
  CLI::App* command = program.app.add_subcommand("status", "Show the progress of an experiment");
  struct Options {
    std::string results;
    bool json = false;
    bool time = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->add_flag("--time", options->time,
                    "show where the time went: by stage, by probe, and by what the probes did");
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      const store::Status status = store::load_status(options->results);
      if (options->json)
        std::cout << ascii_text(json_of(status, options->results, options->time), 1) << '\n';
      else
        print(status, options->results, options->time);
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
