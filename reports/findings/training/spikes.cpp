// Steps whose training loss was a spike, and what they read.

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "harness/base/number_text.h"
#include "reports/findings/finding.h"
#include "reports/text/number.h"

namespace ablate::reports {
namespace {

constexpr std::size_t kDocumentsShown = 8;  // on a page

/// A spike of a trial.
struct SpikeRow {
  const ArmResult* arm = nullptr;
  const store::TrialRecord* trial = nullptr;
  store::LossSpike spike;
  bool exact = true;  // otherwise only the point of the curve is known whose steps it was among
};

/// The spikes of a trial by step. Where journals say no more than in which point of the curve a step
/// spiked, as older versions' do, a point with a loss stands for its steps.
std::vector<SpikeRow> spikes_of(const ArmResult& arm, const store::TrialRecord& trial) {
  std::vector<SpikeRow> rows;
  for (const store::LossSpike& spike : trial.spikes) rows.push_back({&arm, &trial, spike});
  std::int64_t before = 0;
  for (const store::CurvePoint& point : trial.curve.points()) {
    const bool known = std::ranges::any_of(trial.spikes, [&](const store::LossSpike& spike) {
      return before < spike.step && spike.step <= point.step;
    });
    if (point.spike && !known && std::isfinite(point.loss))
      rows.push_back({&arm, &trial, {.step = point.step, .loss = point.loss}, false});
    before = point.step;
  }
  std::ranges::stable_sort(rows, {}, [](const SpikeRow& row) { return row.spike.step; });
  return rows;
}

std::vector<SpikeRow> rows_of(const Analysis& analysis) {
  std::vector<SpikeRow> rows;
  for (const ArmResult& arm : analysis.arms)
    for (const store::TrialRecord* trial : arm.trials)
      std::ranges::move(spikes_of(arm, *trial), std::back_inserter(rows));
  return rows;
}

/// The documents at which the step's texts began, and the corpus of each.
template <std::int64_t store::SpikeDocument::*member>
Numbers documents_of(const SpikeRow& row) {
  Numbers numbers;
  for (const store::SpikeDocument& read : row.spike.documents) numbers.all.push_back(read.*member);
  return numbers;
}

/// "17, 203": at most eight.
std::string documents_text(const SpikeRow& row) {
  std::vector<std::int64_t> all = documents_of<&store::SpikeDocument::document>(row).all;
  const bool more = all.size() > kDocumentsShown;
  all.resize(std::min(all.size(), kDocumentsShown));
  return fmt::format("{}{}", fmt::join(all, ", "), more ? ", …" : "");
}

/// Of every spike, for programs.
Fields<SpikeRow> spike_fields() {
  return {{{}, "arm", "arm", [](const SpikeRow& row) { return row.arm->name; }},
          {{}, "seed", "seed", [](const SpikeRow& row) { return row.trial->seed; }},
          {{}, "trial", "trial", [](const SpikeRow& row) { return row.trial->id; }},
          {{}, "step", "step", [](const SpikeRow& row) { return row.spike.step; }},
          {{}, "exact", "exact", &SpikeRow::exact},
          {{}, "loss", "loss", [](const SpikeRow& row) { return std::optional(row.spike.loss); }},
          {{}, "documents", "documents", documents_of<&store::SpikeDocument::document>},
          {{}, "corpora", "corpora", documents_of<&store::SpikeDocument::corpus>}};
}

/// The spikes of an arm, for pages.
struct ArmSpikes {
  SpikeRow largest;  // the spike of the highest loss
  std::int64_t spikes = 0;
  std::set<std::int64_t> seeds;  // of the trials that have one
};

std::vector<ArmSpikes> by_arm(const std::vector<SpikeRow>& rows) {
  std::vector<ArmSpikes> arms;
  for (const SpikeRow& row : rows) {
    if (arms.empty() || arms.back().largest.arm != row.arm) arms.push_back({row});
    ArmSpikes& arm = arms.back();
    if (std::isfinite(row.spike.loss) && !(row.spike.loss <= arm.largest.spike.loss))
      arm.largest = row;
    ++arm.spikes;
    arm.seeds.insert(row.trial->seed);
  }
  return arms;
}

Fields<ArmSpikes> arm_fields() {
  return {{text_column("arm"), "", "", [](const ArmSpikes& arm) { return arm.largest.arm->label; }},
          {number_column("spikes"), "", "", &ArmSpikes::spikes},
          {text_column("trials"), "", "",
           [](const ArmSpikes& arm) {
             return fmt::format("{} of {}", arm.seeds.size(), arm.largest.arm->trials.size());
           }},
          {{.title = "highest loss", .unit = "nats/target", .numbers = true},
           "",
           "",
           [](const ArmSpikes& arm) { return significant(arm.largest.spike.loss); }},
          {number_column("of seed"), "", "",
           [](const ArmSpikes& arm) { return arm.largest.trial->seed; }},
          {text_column("at step"), "", "",
           [](const ArmSpikes& arm) {
             return fmt::format("{}{}", arm.largest.exact ? "" : "or before ",
                                arm.largest.spike.step);
           }},
          {text_column("documents"), "", "",
           [](const ArmSpikes& arm) { return documents_text(arm.largest); }}};
}

/// "3 spikes in 2 of 12 trials".
std::string found_text(const Analysis& analysis, const std::vector<ArmSpikes>& arms) {
  std::int64_t spikes = 0;
  std::size_t trials = 0;
  for (const ArmSpikes& arm : arms) {
    spikes += arm.spikes;
    trials += arm.seeds.size();
  }
  return fmt::format("{} in {} of {}", counted(spikes, "spike"), trials,
                     counted(analysis.trials(), "trial"));
}

Table table_of(const std::vector<SpikeRow>& rows, const std::vector<ArmSpikes>& arms) {
  Table table{.name = "spikes", .caption = "Spikes of the training loss"};
  add_rows(table, arm_fields(), arms, [](const ArmSpikes& arm) { return arm.largest.arm->anchor; });
  table.notes = {
      "A spike is a step whose loss exceeds the running mean by 6 robust standard deviations. "
      "Where an objective weights few targets heavily, as diffusion does, single steps are high by "
      "chance; for other objectives, look at the batch. The documents are those at which the texts "
      "of the "
      "step began, by their numbers in the training part of the phase's corpus: `ablate preview "
      "FILE --arm ARM --documents NUMBERS` shows those of the experiment's own corpus. spikes.csv "
      "has every spike."};
  if (std::ranges::any_of(rows, [](const SpikeRow& row) { return !row.exact; }))
    table.notes.push_back(
        "\"or before\": the journal has the point of the curve alone, as those of older versions "
        "do; "
        "such a point counts once, and its loss is the mean of its steps.");
  return table;
}

}  // namespace

Finding find_spikes(const Study& study) {
  const std::vector<SpikeRow> rows = rows_of(study.analysis);
  Finding finding;
  finding.records = {records_of(study.analysis, "spikes", {"spikes"}, spike_fields(), rows)};
  const std::vector<ArmSpikes> arms = by_arm(rows);
  if (arms.empty()) return finding;
  finding.found = {"curves", found_text(study.analysis, arms)};
  finding.add("curves", table_of(rows, arms));
  return finding;
}

}  // namespace ablate::reports
