// Measures the cost of passages of held-out documents in the format of the objective: the one loss
// that can be compared between arms, since it is of the same tokens.

#include "harness/probes/cloze/cloze.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/documents.h"
#include "harness/probes/measuring.h"
#include "harness/probes/scoring.h"
#include "harness/probes/unigram.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kRowsAtOnce = 32;

constexpr std::array kQuestions = {Question::continuation, Question::infill,
                                   Question::infill_from_left};
constexpr std::array<std::string_view, 3> kNames = {"continuation", "infill", "infill_from_left"};

using Document = std::span<const Token>;

/// Documents of the held-out part, drawn by the trial's seed, whatever the arm.
std::vector<Document> drawn_documents(const Subject& subject, std::size_t maximum,
                                      std::size_t longest) {
  std::vector<Document> all = documents_of(subject.corpus.held_out(), SIZE_MAX);
  std::erase_if(all, [&](Document document) { return !cloze_fits(document, longest); });
  if (all.empty())
    fail(
        "cloze: no held-out document has 6 tokens of text and no special ones within {}; use a "
        "longer context, or leave 'cloze' out of the probes",
        longest);
  const Rng rng = Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("cloze");
  std::vector<Document> drawn;
  for (const std::size_t i : random_order(all.size(), rng)) {
    if (drawn.size() == maximum) break;
    drawn.push_back(all[i]);
  }
  return drawn;
}

/// Asks a network and adds up what the targets of each question cost.
class Asking {
 public:
  explicit Asking(const Subject& subject) : subject_(subject) {}

  /// Asks the examples of one more question.
  void ask(std::vector<Example> examples) {
    for (Example& example : examples) {
      data::settle(example, needs());
      rows_.push_back({.example = std::move(example), .row = std::ssize(rows_)});
      asked_.push_back(costs_.size());
    }
    costs_.push_back(0);
    while (rows_.size() >= kRowsAtOnce) score();
  }

  /// The cost of each question in nats.
  std::vector<double> costs() {
    while (!rows_.empty()) score();
    return std::move(costs_);
  }

 private:
  const Needs& needs() const { return subject_.phase.objective.needs; }

  /// The positions that the longest of the rows takes.
  RowShape shape_of(std::span<const data::PlacedExample> rows) const {
    RowShape shape{.time = 1};
    for (const data::PlacedExample& row : rows) {
      const RowShape own = own_row(row.example, needs());
      shape = {std::max(shape.time, own.time), std::max(shape.source_time, own.source_time)};
    }
    return shape;
  }

  /// Scores the oldest rows that wait.
  void score() {
    const std::size_t count = std::min(kRowsAtOnce, rows_.size());
    const auto rows = std::span(rows_).first(count);
    for (std::size_t i = 0; i < count; ++i) rows[i].row = static_cast<std::int64_t>(i);
    const data::Batch batch = data::lay_out(rows, needs(), data::Packing::padded,
                                            static_cast<std::int64_t>(count), shape_of(rows));
    const TargetScores scores = score_targets(subject_.network, batch, subject_.device).front();
    for (std::size_t i = 0; i < scores.costs.size(); ++i)
      costs_[asked_[static_cast<std::size_t>(batch.scored.front().positions[i] / batch.time)]] +=
          scores.costs[i];
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
    asked_.erase(asked_.begin(), asked_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  const Subject& subject_;
  std::vector<data::PlacedExample> rows_;  // that wait to be scored
  std::vector<std::size_t> asked_;         // the question of each row
  std::vector<double> costs_;
};

/// The cost of the target without context. Tokens that the training text lacks have a cost, too.
double context_free_cost(std::span<const double> unigram, const Cloze& cloze) {
  double cost = 0;
  for (const Token token : cloze.target)
    cost -= std::log(unigram[static_cast<std::size_t>(token - special_count)]);
  return cost;
}

/// Adds the metrics of one question about all documents.
void add_question(const Subject& subject, std::string_view name, std::span<const Cloze> questions,
                  ClozeFormat format, std::span<const double> unigram,
                  std::map<std::string, double>& metrics) {
  const std::vector<double> costs = cloze_costs(subject, questions);
  double tokens = 0, bytes = 0, context_free = 0, optimum = 0;
  for (const Cloze& cloze : questions) {
    tokens += static_cast<double>(cloze.target.size());
    for (const Token token : cloze.target)
      bytes += static_cast<double>(subject.corpus.bytes_of(token));
    context_free += context_free_cost(unigram, cloze);
    if (subject.language) optimum += exact_cost(subject.language->chain(), cloze, format);
  }
  const double loss = std::accumulate(costs.begin(), costs.end(), 0.0);
  metrics[fmt::format("cloze.loss_{}", name)] = loss / tokens;
  metrics[fmt::format("cloze.context_free_{}", name)] = context_free / tokens;
  if (subject.language)
    metrics[fmt::format("cloze.optimum_{}", name)] = optimum / tokens;
  else if (bytes > 0)
    metrics[fmt::format("cloze.bits_per_byte_{}", name)] = loss / std::log(2.0) / bytes;
}

}  // namespace

RowShape own_row(const Example& example, const Needs& needs) {
  const std::int64_t inputs = std::ssize(example.inputs), targets = std::ssize(example.targets);
  if (needs.separate_inputs) return {targets, inputs};
  return {needs.alignment == Alignment::continuation ? inputs + targets : inputs, 0};
}

std::vector<double> cloze_costs(const Subject& subject, std::span<const Cloze> questions) {
  Asking asking(subject);
  for (const Cloze& question : questions) asking.ask(subject.phase.objective.cloze(question));
  return asking.costs();
}

std::vector<double> example_costs(const Subject& subject,
                                  std::vector<std::vector<Example>> questions) {
  Asking asking(subject);
  for (std::vector<Example>& examples : questions) asking.ask(std::move(examples));
  return asking.costs();
}

Measurement measure_cloze(const Subject& subject, const plan::ResolvedProbe& probe,
                          const ProgressSink& progress) {
  const ClozeFormat format = cloze_format_of(subject.objective(), subject.phase.params);
  if (format == ClozeFormat::none) return no_measurement("cloze", kNoFormat);
  const std::int64_t asked = probe.params.integer("longest");
  const auto longest = static_cast<std::size_t>(
      std::max<std::int64_t>(0, asked > 0 ? asked : subject.phase.context - kRoomForMarks));
  const std::vector<Document> documents = drawn_documents(
      subject, static_cast<std::size_t>(probe.params.integer("documents")), longest);
  const std::vector<double> unigram = unigram_of(subject);  // reads all training text
  Measurement measurement;
  for (std::size_t i = 0; i < kQuestions.size(); ++i) {
    std::vector<Cloze> questions;
    for (const Document document : documents)
      questions.push_back(cloze_of(kQuestions[i], document, longest));
    add_question(subject, kNames[i], questions, format, unigram, measurement.metrics);
    progress(static_cast<double>(i + 1) / static_cast<double>(kQuestions.size()));
  }
  auto& metrics = measurement.metrics;
  metrics["cloze.gain_of_right"] =
      metrics.at("cloze.loss_infill_from_left") - metrics.at("cloze.loss_infill");
  measurement.details = {{"documents", documents.size()}};
  return measurement;
}

}  // namespace ablate::probes
