#include "experiments/commands/running/run_printing.h"

#include <algorithm>
#include <iostream>
#include <vector>

#include "harness/base/number_text.h"
#include "harness/base/text/shell.h"
#include "harness/plan/price/time/speed.h"
#include "harness/plan/tuning/stage.h"
#include "harness/run/progress/text.h"

namespace ablate::commands {

void print_outset(const plan::Plan& plan, const run::Todo& todo,
                  const run::SweepSettings& settings) {
  std::size_t trials = 0, trained = 0;
  std::vector<double> pieces;
  const plan::Speeds speeds = plan::Speeds::read(plan::speeds_file());
  for (const run::Chunk& chunk : todo.chunks) {
    trials += chunk.trials.size();
    trained += chunk.trained;
    const bool all_trained = chunk.trained == chunk.trials.size();
    const double measuring = speeds.overhead_seconds(chunk.trials, settings.devices[0]);
    const double training = speeds.seconds(chunk.trials, settings.devices[0]) - measuring;
    pieces.push_back(measuring +
                     (all_trained ? 0 : training / static_cast<double>(settings.ranks())));
  }
  const std::size_t workers = std::min(settings.devices.size(), todo.chunks.size());
  const double seconds = plan::makespan(pieces, workers);
  for (const std::string& warning : plan.warnings)
    std::cerr << "warning: " << run::printable(warning) << '\n';
  std::cerr << plan.name << ": " << trials << " of " << plan.trials.size() << " trials to run";
  if (trained > 0) std::cerr << " (" << trained << " of them already trained, but not measured)";
  std::cerr << ", " << workers << (workers == 1 ? " worker" : " workers");
  if (settings.ranks() > 1) std::cerr << " of " << settings.ranks() << " ranks";
  std::size_t lanes = 0;
  for (const run::Chunk& chunk : todo.chunks) lanes = std::max(lanes, chunk.trials.size());
  if (lanes > 1) std::cerr << " of up to " << lanes << " lanes";
  if (trials > 0 && seconds > 0) std::cerr << ", about " << duration_text(seconds);
  std::cerr << '\n';
}

void print_summary(const plan::Plan& plan, const run::SweepResult& result, double seconds,
                   const std::string& results, bool is_shard) {
  std::cerr << plan.name << ": " << result.completed << " of " << plan.trials.size()
            << " trials completed";
  if (result.failed > 0) std::cerr << ", " << result.failed << " failed";
  if (result.diverged > 0) std::cerr << ", " << result.diverged << " diverged";
  if (result.unfinished > 0) std::cerr << ", " << result.unfinished << " not finished";
  std::cerr << ", in " << duration_text(seconds) << ".\n";
  if (result.failed > 0)
    std::cerr << "Why trials failed: ablate status " << shell_word(results)
              << "\nTo try them again: the same command with --retry-failed\n";
  if (result.elsewhere > 0)
    std::cerr << "Other programs train " << result.elsewhere
              << " of them. To see whether they are done, run it again.\n";
  else if (result.unfinished > 0)
    std::cerr << "To continue where this command stopped, run it again.\n";
  else if (!plan::tries_rates(plan))
    std::cerr << (is_shard ? "Once all shards are done: ablate report " : "Next: ablate report ")
              << shell_word(results) << '\n';
}

}  // namespace ablate::commands
