// `ablate gate`: judges a night again; pins baselines; calibrates, and tests its own rules.

#include <fmt/core.h>

#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/nightly/night_report.h"
#include "experiments/commands/nightly/quality_margins.h"
#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"
#include "harness/base/number_text.h"
#include "harness/nightly/history.h"
#include "harness/nightly/measure/calibration.h"
#include "harness/nightly/measure/home.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/selftest.h"
#include "harness/nightly/series_csv.h"
#include "harness/run/progress/text.h"
#include "reports/nightly/series_text.h"

namespace ablate::commands {
namespace {

constexpr const char* kHome = "the nightly folder (default: nightly)";

struct GateOptions {
  std::string home = "nightly";
  std::string night, name, reason, suite, noise, method = "potts", file, machine;
  std::int64_t pairs = 10, nights = 1000;
  VerdictOptions verdict;
};

int judge_night(const GateOptions& options) {
  std::filesystem::path night = options.night;
  if (night.empty()) {
    const auto all = nightly::Home(options.home).all_nights();
    if (all.empty())
      reject("{}: holds no nights yet; run one: ablate nightly SUITE --home {}", options.home,
             options.home);
    night = all.back();
  }
  if (!std::filesystem::exists(night / "night.json"))
    reject("{}: is not a night's folder (no night.json)", night.string());
  return report_night(std::filesystem::weakly_canonical(night), options.verdict);
}

int history(const GateOptions& options) {
  const nightly::StepMethod method =
      options.method == "potts" ? nightly::StepMethod::potts : nightly::StepMethod::e_divisive;
  const nightly::History all = nightly::read_history(nightly::Home(options.home), method);
  if (all.nights.empty())
    reject("{}: holds no nights yet; run one: ablate nightly SUITE --home {}", options.home,
           options.home);
  for (const nightly::NightLine& night : all.nights)
    std::cout << fmt::format("{:<32} {:<14} {}\n", run::printable(night.name),
                             run::printable(night.verdict), run::printable(night.fingerprint));
  for (const nightly::SeriesHistory& series : all.series)
    for (const nightly::Step& step : series.steps)
      std::cout << fmt::format("{}: {} between {} and {}\n", run::printable(series.series),
                               run::printable(reports::change_text(series, step)),
                               run::printable(all.nights[step.last_before].name),
                               run::printable(all.nights[step.first_after].name));
  for (const nightly::Flakiness& each : all.flaky)
    std::cout << fmt::format("flaky: {}: {}\n", run::printable(each.series),
                             reports::flakiness_text(each));
  std::cout << "Pages: " << write_history(options.home, all).string() << '\n';
  return exit_ok;
}

int pin(const GateOptions& options) {
  const nightly::Home home(options.home);
  const Descriptor lock = home.lock();
  const nightly::Pin pin = home.pin(options.name, nightly::running_programs(), options.reason);
  std::cout << fmt::format("'{}' is now commit {} (pin {}): {}\n", options.name, pin.commit,
                           pin.name, pin.reason);
  return exit_ok;
}

int calibrate(const GateOptions& options) {
  const nightly::Suite suite = nightly::read_suite(options.suite);
  const Descriptor lock = nightly::Home(options.home).lock();
  if (!options.noise.empty()) {
    const auto quality = noise_in(suite, options.noise);
    std::cout << margins_table(suite, quality)
              << nightly::add_noise(nightly::Home(options.home), quality, options.noise).string()
              << '\n';
    return exit_ok;
  }
  const auto file = nightly::calibrate(suite, nightly::Home(options.home), options.pairs, say);
  const nightly::Calibration found = nightly::read_calibration(file);
  if (!found.usual.empty())
    std::cout << "largest difference of two measurements of one program (log ratio):\n";
  for (const auto& [series, usual] : found.usual)
    std::cout << fmt::format("  {:<60} {:.4f}\n", series, usual);
  if (!found.quality.empty()) std::cout << margins_table(suite, found.quality);
  std::cout << file.string() << '\n';
  return exit_ok;
}

int selftest(const GateOptions& options) {
  bool all = true;
  std::cout << fmt::format("{:<56} {:>10} {:>11} {:>12} {:>6} {:>7} {:>7}  expected\n", "stream",
                           "regression", "improvement", "inconclusive", "pass", "changed",
                           "no data");
  for (const nightly::StreamResult& each : nightly::selftest(options.nights)) {
    std::cout << fmt::format("{:<56} {:>10} {:>11} {:>12} {:>6} {:>7} {:>7}  {}: {}\n", each.stream,
                             each.regressions, each.improvements, each.inconclusive, each.passes,
                             each.changed, each.no_data, each.expected,
                             each.holds ? "holds" : "DOES NOT HOLD");
    all = all && each.holds;
  }
  return all ? exit_ok : exit_failure;
}

int export_csv(const GateOptions& options) {
  const nightly::Home home(options.home);
  const auto all = home.all_nights();
  if (all.empty())
    reject("{}: holds no nights yet; run one: ablate nightly SUITE --home {}", options.home,
           options.home);
  const std::string machine = options.machine.empty()
                                  ? nightly::read_night(all.back()).identity.fingerprint
                                  : options.machine;
  const std::string table = nightly::series_csv(home, machine);
  if (options.file == "-") {
    std::cout << table;
  } else {
    write_file(options.file, table);
    std::cout << fmt::format("{}: times of machine {}\n", options.file, machine);
  }
  return exit_ok;
}

int import_csv(const GateOptions& options) {
  const nightly::Home home(options.home);
  const Descriptor lock = home.lock();
  const std::int64_t nights = nightly::import_csv(home, read_file(options.file), options.file);
  std::cout << fmt::format("{} now in {}; to see them: ablate gate history --home {}\n",
                           nights == 1 ? "1 night is" : fmt::format("{} nights are", nights),
                           home.nights().string(), options.home);
  return exit_ok;
}

/// The command while its subcommands are added.
struct Subcommands {
  Program& program;
  CLI::App& command;
  std::shared_ptr<GateOptions> options = std::make_shared<GateOptions>();

  /// Adds one that does `action`.
  CLI::App& add(const char* name, const char* description, int (*action)(const GateOptions&)) {
    CLI::App* const app = command.add_subcommand(name, description);
    app->callback([program = &program, options = options, action] {
      program->exit_code = guarded([&] { return action(*options); });
    });
    return *app;
  }
};

void add_judge(Subcommands& gate) {
  CLI::App& app = gate.add("judge", "Judge a night from its records", judge_night);
  app.add_option("NIGHT", gate.options->night, "the night's folder (default: the latest)");
  app.add_option("--home", gate.options->home, kHome);
  add_verdict_options(app, gate.options->verdict);
}

void add_pin(Subcommands& gate) {
  CLI::App& app = gate.add("pin", "Keep these programs as the baseline of later nights", pin);
  app.add_option("NAME", gate.options->name, "the baseline's name")->required();
  app.add_option("--reason", gate.options->reason, "the reason, which is kept with the pin")
      ->required();
  app.add_option("--home", gate.options->home, kHome);
}

void add_history(Subcommands& gate) {
  CLI::App& app = gate.add(
      "history", "List all nights, and the steps of benchmarks and metrics; write the pages",
      history);
  app.add_option("--home", gate.options->home, kHome);
  app.add_option("--method", gate.options->method,
                 "how steps are found: potts (default) or, as a second opinion, e_divisive")
      ->check(CLI::IsMember({"potts", "e_divisive"}));
}

void add_calibrate(Subcommands& gate) {
  CLI::App& app = gate.add("calibrate",
                           "Measure how far two measurements of one program differ on this "
                           "machine, and which margins the suite's seeds can hold",
                           calibrate);
  app.add_option("FILE", gate.options->suite, "the suite")->required();
  app.add_option("--pairs", gate.options->pairs, "number of pairs of measurements (default: 10)")
      ->check(CLI::Range(2, 1000));
  app.add_option("--noise", gate.options->noise,
                 "a results folder of `ablate noise`: compare the suite's margins with the noise "
                 "of its metrics; nothing is timed or trained");
  app.add_option("--home", gate.options->home, kHome);
}

void add_export(Subcommands& gate) {
  CLI::App& app = gate.add("export",
                           "Write the benchmarks' history as CSV: time, commit, series, value "
                           "(seconds)",
                           export_csv);
  app.add_option("--csv", gate.options->file, "the file, or - for standard output")->required();
  app.add_option(
      "--machine", gate.options->machine,
      "the machine to export times of, as `gate history` names it (default: the latest night's)");
  app.add_option("--home", gate.options->home, kHome);
}

void add_import(Subcommands& gate) {
  CLI::App& app = gate.add(
      "import", "Add another system's history from CSV: time, commit, series, value (seconds)",
      import_csv);
  app.add_option("--csv", gate.options->file, "the file")->required();
  app.add_option("--home", gate.options->home, kHome);
}

void add_selftest(Subcommands& gate) {
  CLI::App& app = gate.add("selftest", "Try the gate's rules on simulated nights", selftest);
  app.add_option("--nights", gate.options->nights, "number of nights per stream (default: 1000)")
      ->check(CLI::Range(100, 1'000'000));
}

}  // namespace

void add_gate(Program& program) {
  CLI::App* const command =
      program.app.add_subcommand("gate", "Judge a night; pin a baseline; test the gate itself");
  command->require_subcommand(1);
  Subcommands gate{program, *command};
  add_judge(gate);
  add_pin(gate);
  add_history(gate);
  add_calibrate(gate);
  add_export(gate);
  add_import(gate);
  add_selftest(gate);
}

}  // namespace ablate::commands
