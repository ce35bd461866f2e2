// `ablate bench`: times benchmarks and keeps every repetition.

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/number_text.h"
#include "harness/nightly/judge/speed.h"
#include "harness/nightly/measure/machine.h"
#include "harness/nightly/measure/timing.h"

namespace ablate::commands {
namespace {

struct BenchOptions {
  nightly::TimingOrder order = {.filter = ".", .repetitions = 15, .seconds = 0.1};
  std::string out = "bench.jsonl";
};

int bench(const BenchOptions& options) {
  const Json machine = nightly::describe_machine();
  const auto failures = nightly::time_in_turns(
      {{"now", nightly::running_programs()}}, options.order, options.out, machine,
      [&](std::int64_t round) {
        std::cerr << fmt::format("round {} of {}\n", round, options.order.repetitions)
                  << std::flush;
      });
  for (const auto& [program, words] : failures) fail("{}", words);
  std::cout << fmt::format("{:<64} {:>12} {:>12} {:>12}\n", "benchmark", "least", "median", "most");
  for (const auto& [series, by_program] : nightly::read_times(options.out)) {
    const std::vector<double>& seconds = by_program.at("now").values;
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    std::cout << fmt::format("{:<64} {:>10} s {:>10} s {:>10} s\n", series, significant(*least),
                             significant(nightly::median_of(seconds)), significant(*most));
  }
  std::cout << machine.value("processor", "") << "; every repetition: " << options.out << '\n';
  return exit_ok;
}

}  // namespace

void add_bench(Program& program) {
  CLI::App* const command = program.app.add_subcommand(
      "bench", "Time the program's own benchmarks, and keep every repetition");
  const auto options = std::make_shared<BenchOptions>();
  command->add_option("--filter", options->order.filter,
                      "regular expression that selects benchmarks by name");
  command
      ->add_option("--repetitions", options->order.repetitions,
                   "number of repetitions per benchmark (default: 15)")
      ->check(CLI::Range(1, 100));
  command
      ->add_option("--seconds", options->order.seconds,
                   "minimum length of a repetition, in seconds (default: 0.1)")
      ->check(CLI::Range(0.01, 60.0));
  command->add_option(
      "--out", options->out,
      "file of the repetitions; an existing file is continued (default: bench.jsonl)");
  command->callback(
      [&program, options] { program.exit_code = guarded([&] { return bench(*options); }); });
}

}  // namespace ablate::commands
