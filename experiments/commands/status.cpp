// `ablate status`: shows the progress of an experiment, while it runs and afterwards.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <set>

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

/// How many trials of an arm stand where.
struct ArmCounts {
  std::map<std::string, std::size_t> by_outcome;  // as outcome_text() has it
  double seconds = 0;
};

/// A row for each arm, with a column for each outcome that any trial has.
void print_arms(const store::Status& status) {
  std::vector<std::string> arms;  // in the plan's order
  std::map<std::string, ArmCounts> counts;
  std::set<std::string> outcomes;
  for (const store::TrialStatus& trial : status.trials) {
    if (!counts.contains(trial.arm)) arms.push_back(trial.arm);
    ArmCounts& arm = counts[trial.arm];
    ++arm.by_outcome[outcome_text(trial)];
    arm.seconds += trial.seconds;
    outcomes.insert(outcome_text(trial));
  }
  std::vector<std::vector<std::string>> rows = {{"arm"}};
  rows[0].insert(rows[0].end(), outcomes.begin(), outcomes.end());
  rows[0].emplace_back("time");
  for (const std::string& name : arms) {
    ArmCounts& arm = counts[name];
    std::vector<std::string> row = {run::printable(name)};
    for (const std::string& outcome : outcomes)
      row.push_back(std::to_string(arm.by_outcome[outcome]));
    row.push_back(duration_text(arm.seconds));
    rows.push_back(std::move(row));
  }
  std::cout << run::table_text(rows);
}

/// Why trials have not completed.
void print_messages(const store::Status& status, std::size_t most) {
  std::size_t messages = 0;
  for (const store::TrialStatus& trial : status.trials) {
    if (trial.message.empty() || ++messages > most) continue;
    std::cout << '\n'
              << run::printable(trial.arm) << " seed " << trial.seed << " ("
              << run::printable(trial.id) << "): " << run::printable(trial.message) << '\n';
  }
  if (messages > most)
    std::cout << fmt::format("\nand {} more, which --trials shows\n", messages - most);
}

/// What of a status is printed.
struct Shown {
  bool time = false;    // where it went
  bool trials = false;  // each, however many there are
};

void print(const store::Status& status, const std::string& results, const Shown& shown) {
  constexpr std::size_t kMostTrials = 500, kMostMessages = 20;
  const bool each = shown.trials || status.trials.size() <= kMostTrials;
  std::cout << run::printable(status.experiment) << ": " << status.trials.size() << " trials";
  for (const auto& [outcome, count] : status.counts)
    if (count > 0) std::cout << ", " << count << ' ' << run::printable(outcome);
  std::cout << (status.holder ? "; run by " + run::printable(status.holder->text())
                              : "; not running")
            << "\n\n";
  if (const auto state = run::slurm_state(results)) std::cout << state->text() << "\n\n";
  if (each)
    print_table(status);
  else
    print_arms(status);
  print_messages(status, each ? status.trials.size() : kMostMessages);
  if (shown.time) print_times(std::cout, status);
}

}  // namespace

void add_status(Program& program) {
  CLI::App* command = program.app.add_subcommand("status", "Show the progress of an experiment");
  struct Options {
    std::string results;
    bool json = false;
    Shown shown;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("DIR", options->results, "the results folder")->required();
  command->add_flag("--json", options->json, "print one JSON document");
  command->add_flag("--time", options->shown.time,
                    "show where the time went: by stage, by probe, and by what the probes did");
  command->add_flag("--trials", options->shown.trials,
                    "show each trial; else, of more than 500, how many of each arm stand where");
  command->callback([&program, options] {
    program.exit_code = guarded([&] {
      const store::Status status = store::load_status(options->results);
      if (options->json)
        std::cout << ascii_text(json_of(status, options->results, options->shown.time), 1) << '\n';
      else
        print(status, options->results, options->shown);
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
