// Writes pages of synthetic records, for check_pages.py: `ablate_pages FOLDER`.
//
// One folder for each case: small, a sweep, phases with a learning rate that was tuned, all that probes
// leave beside metrics, arms without common seeds, budgets, tasks, one whose every name is hostile, one
// with failures and many arms, the pages of the nightly gate, and that of a preview.

#include <filesystem>
#include <iostream>

#include "harness/base/files.h"
#include "reports/nightly/history_page.h"
#include "reports/nightly/night_page.h"
#include "reports/report.h"
#include "reports/web/preview_page.h"
#include "tests/reports/budget_sweeps.h"
#include "tests/reports/dynamics.h"
#include "tests/reports/files.h"
#include "tests/reports/hostile.h"
#include "tests/reports/probe_records.h"
#include "tests/reports/sweeps.h"
#include "tests/reports/task_records.h"
#include "tests/reports/tuned_records.h"

namespace ablate::reports {
namespace {

namespace fs = std::filesystem;

/// The small experiment; arms differ in what a step costs, and clm has two phases.
store::Records with_ledgers(store::Records records) {
  for (store::TrialRecord& trial : records.trials) {
    const double cost = trial.arm == "clm" ? 3 : 2;
    trial.ledger["flops"] = cost * 1e9;
    trial.ledger["seconds"] = cost * 7;
    trial.ledger["objective"] = {{"type", "masked_lm"}, {"rate", .15}};
    trial.ledger["intended"] = {{"corruption", .15}};
    trial.ledger["realised"] = {{"corruption", .149}, {"prediction", .149}};
    if (trial.arm == "clm")
      trial.ledger["phases"] = {{{"steps", 40}, {"targets", 400}, {"flops", 1e9}},
                                {{"steps", 60}, {"targets", 1200}, {"flops", 2e9}}};
  }
  return records;
}

/// Measured on the way, at temperatures, by layer and by item.
store::Records probed_records() {
  const auto falling = [](std::int64_t step) { return 2 - .02 * static_cast<double>(step); };
  return with_items(90, 75, with_kernels(with_temperatures(with_dynamics({10, 20, 40}, falling))));
}

void write_page(const fs::path& folder, const std::vector<ReportFile>& files) {
  for (const ReportFile& file : files) {
    if (!file.name.ends_with(".html")) continue;
    fs::create_directories((folder / file.name).parent_path());
    write_file(folder / file.name, file.bytes);
  }
}

void write_page(const fs::path& folder, const store::Records& records) {
  write_page(folder, make_report(records, {"html"}));
}

/// A night with a finding of each verdict, and a history of ten nights with a step.
void write_nightly(const fs::path& folder) {
  using nightly::Kind;
  using nightly::Verdict;
  nightly::Judged judged{.night = {.folder = "2026-11-19-abc",
                                   .identity = {.date = "2026-11-19",
                                                .baseline = "main",
                                                .pin = "first",
                                                .fingerprint = "f00"},
                                   .commit = "abc",
                                   .machine = {{"cpu", "a processor"}, {"cores", 2}}},
                         .verdict = Verdict::regression};
  for (const Kind kind : {Kind::exact, Kind::quality, Kind::speed})
    for (const Verdict verdict : {Verdict::regression, Verdict::no_data, Verdict::inconclusive,
                                  Verdict::changed, Verdict::improvement, Verdict::pass})
      judged.findings.push_back({.series = "quickstart/clm/" + kHostile,
                                 .kind = kind,
                                 .verdict = verdict,
                                 .reason = "median 1.21 of 15 repetitions"});
  nightly::History history;
  nightly::SeriesHistory series{.series = "step/S", .fingerprint = "f00"};
  nightly::SeriesHistory metric{.series = "quickstart/clm/" + kHostile,
                                .fingerprint = "f00",
                                .kind = Kind::quality,
                                .unit = "nats/token"};
  nightly::ExactHistory exact{.series = "quickstart/clm/bits", .fingerprint = "f00"};
  for (std::size_t night = 0; night < 10; ++night) {
    const std::string date = "2026-11-" + std::to_string(10 + night);
    history.nights.push_back({.name = date + "-abc",
                              .date = date,
                              .commit = night < 5 ? "abc" : "def",
                              .pin = night < 7 ? "first" : "second",
                              .verdict = "pass"});
    const double seconds = night < 5 ? 1 : 1.2;
    series.values.push_back({night, seconds * .98, seconds, seconds * 1.03});
    metric.values.push_back({night, 2 + seconds, 2 + seconds, 2 + seconds, 3.0});
    exact.nights.push_back({night, night < 5 ? "pass" : "changed", night < 5 ? "aaa" : "bbb"});
  }
  exact.changes = {5};
  series.steps.push_back({.last_before = 4, .first_after = 5, .before = 1, .after = 1.2});
  metric.steps.push_back({.last_before = 4, .first_after = 5, .before = 3, .after = 3.2});
  history.series = {std::move(series), std::move(metric)};
  history.exact = {std::move(exact)};
  write_page(folder / "nights" / "2026-11-19-abc", night_files(judged));
  write_page(folder, history_files(history));
}

/// Two arms: one that hides a token in a long row, and one whose every name is hostile.
void write_preview(const fs::path& folder) {
  const std::size_t length = 40;
  const std::vector<std::string> words(length, "word"), none(length);
  const auto arm = [&](const std::string& name) {
    PreviewedArm made{.name = name, .summary = name, .source = name, .examples = {}};
    std::vector<std::string> inputs = words, targets = none;
    inputs[3] = "<mask>";
    targets[3] = name;
    PreviewedArm::Shown& shown = made.examples.emplace_back();
    shown.tokens = {{{"text", "inputs", "targets"}, {words, inputs, targets}}};
    shown.notes = {name};
    shown.sights = {{name, inputs, inputs, {}, std::vector<bool>(length)}};
    shown.sights[0].sees.assign(length, std::vector<bool>(length, true));
    shown.sights[0].predicts[3] = true;
    return made;
  };
  fs::create_directories(folder);
  write_file(folder / "preview.html",
             preview_page("preview", "What is hidden?", {arm("masked"), arm(kHostile)}));
}

int write_pages(const fs::path& folder) {
  write_page(folder / "small", with_ledgers(small_records()));
  write_page(folder / "sweep", with_ledgers(with_sweep("mlm", {10, .3, .15, 2})));
  write_page(folder / "tuned", tuned_records());
  write_page(folder / "probed", probed_records());
  write_page(folder / "unpaired", with_own_seeds(7));
  write_page(folder / "budgets", flipping());
  write_page(folder / "tasks", with_tasks(6, {.9, .7, .5, .3}));
  write_page(folder / "hostile", hostile_records());
  write_page(folder / "many", with_many_arms(30));
  write_nightly(folder / "nightly");
  write_preview(folder / "preview");
  return 0;
}

}  // namespace
}  // namespace ablate::reports

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "ablate_pages FOLDER\n";
    return 2;
  }
  return ablate::reports::write_pages(arguments[1]);
}
