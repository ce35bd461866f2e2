// Asks a network the questions of the cloze probe, many rows in one batch.

#include "harness/probes/cloze/costs.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "harness/probes/cloze/hidden_sets.h"
#include "harness/probes/documents.h"
#include "harness/probes/scoring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kRowsAtOnce = 32;

/// A row that is to be read.
struct Row {
  Example example;
  std::vector<std::size_t> questions;  // of each target that is scored
};

/// Whether an example is tokens and targets alone, which are read from left to right.
bool is_plain(const Example& example, const Needs& needs) {
  return needs.alignment == Alignment::continuation && needs.attention == Attention::causal &&
         !needs.separate_inputs && example.shown.empty() && example.positions.empty() &&
         example.inner.empty() && example.sees.empty() && example.labels.empty() &&
         !example.loss_denominator;
}

/// The token at a place of a plain example, its inputs before its targets, and its weight.
std::pair<Token, float> at(const Example& example, std::size_t place) {
  const std::size_t inputs = example.inputs.size();
  if (place < inputs) return {example.inputs[place], 0.0F};
  return {example.targets[place - inputs], example.weights[place - inputs]};
}

std::size_t places(const Example& example) {
  return example.inputs.size() + example.targets.size();
}

/// Whether `next` begins with all of `row`, where it scores nothing, so that a model which sees the past alone
/// answers both in one row.
bool continues(const Example& row, const Example& next, const Needs& needs) {
  if (!is_plain(row, needs) || !is_plain(next, needs) || places(next) < places(row)) return false;
  for (std::size_t place = 0; place < places(row); ++place)
    if (at(next, place) != std::pair(at(row, place).first, 0.0F)) return false;
  return true;
}

/// Appends what `next` has behind the row.
void append(const Example& next, Example& row) {
  for (std::size_t place = places(row); place < places(next); ++place) {
    const auto [token, weight] = at(next, place);
    row.targets.push_back(token);
    row.weights.push_back(weight);
  }
}

/// Asks a network and keeps what it makes of the targets of each question. Questions about the same text that
/// a model reads from left to right share a row.
class Asking {
 public:
  explicit Asking(const Subject& subject) : subject_(subject) {}

  /// Asks the examples of one more question.
  void ask(std::vector<Example> examples) {
    for (Example& example : examples) add(std::move(example), answers_.size());
    answers_.emplace_back();
    while (rows_.size() > kRowsAtOnce) score();  // the last one may go on
  }

  /// The scores of each question.
  std::vector<AnswerScores> answers() {
    while (!rows_.empty()) score();
    return std::move(answers_);
  }

  /// The cost of each question in nats.
  std::vector<double> costs() {
    std::vector<double> costs;
    for (const AnswerScores& answer : answers())
      costs.push_back(std::accumulate(answer.costs.begin(), answer.costs.end(), 0.0));
    return costs;
  }

 private:
  const Needs& needs() const { return subject_.phase.objective.needs; }

  void add(Example example, std::size_t question) {
    const auto scored = example.weights.size() -
                        static_cast<std::size_t>(std::ranges::count(example.weights, 0.0F));
    if (!rows_.empty() && continues(rows_.back().example, example, needs()))
      append(example, rows_.back().example);
    else
      rows_.push_back({std::move(example), {}});
    std::vector<std::size_t>& questions = rows_.back().questions;
    questions.insert(questions.end(), scored, question);
  }

  /// Scores the oldest rows that wait.
  void score() {
    const std::size_t count = std::min(kRowsAtOnce, rows_.size());
    std::vector<Example> examples;
    std::vector<std::size_t> questions;  // of all targets, which are scored in the order of rows
    for (Row& row : std::span(rows_).first(count)) {
      examples.push_back(std::move(row.example));
      questions.insert(questions.end(), row.questions.begin(), row.questions.end());
    }
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
    const data::Batch batch = example_batch(examples, needs());
    const TargetScores scores = score_targets(subject_.network, batch, subject_.device).front();
    if (scores.costs.size() != questions.size())
      throw std::logic_error("cloze: a batch scores other targets than its examples have");
    for (std::size_t i = 0; i < questions.size(); ++i) {
      AnswerScores& answer = answers_[questions[i]];
      answer.costs.push_back(scores.costs[i]);
      answer.right.push_back(scores.right[i]);
    }
  }

  const Subject& subject_;
  std::vector<Row> rows_;  // that wait to be scored
  std::vector<AnswerScores> answers_;
};

}  // namespace

std::vector<double> cloze_costs(const Subject& subject, std::span<const Cloze> questions) {
  Asking asking(subject);
  for (const Cloze& question : questions) asking.ask(subject.phase.objective.cloze(question));
  return asking.costs();
}

std::vector<AnswerScores> answer_scores(const Subject& subject, std::span<const Cloze> questions) {
  Asking asking(subject);
  for (const Cloze& question : questions) asking.ask(subject.phase.objective.cloze(question));
  return asking.answers();
}

std::vector<double> example_costs(const Subject& subject,
                                  std::vector<std::vector<Example>> questions) {
  Asking asking(subject);
  for (std::vector<Example>& examples : questions) asking.ask(std::move(examples));
  return asking.costs();
}

std::vector<double> stop_costs(const Subject& subject, std::span<const Cloze> questions) {
  Asking asking(subject);
  for (const Cloze& question : questions) asking.ask(subject.phase.objective.cloze_stop(question));
  return asking.costs();
}

std::vector<double> order_costs(const Subject& subject, std::size_t order,
                                std::span<const Cloze> questions) {
  Asking asking(subject);
  for (const Cloze& question : questions)
    asking.ask(subject.phase.objective.cloze_orders.at(order).cloze(question));
  return asking.costs();
}

std::vector<double> bound_costs(const Subject& subject, std::span<const Cloze> questions, Rng rng) {
  struct Term {
    std::size_t question;
    double weight;
  };
  std::vector<Term> terms;
  Asking asking(subject);
  for (std::size_t i = 0; i < questions.size(); ++i)
    for (const auto& hidden : stratified_sets(questions[i].target.size(), rng.fork(i))) {
      asking.ask({subject.phase.objective.cloze_hidden(questions[i], hidden)});
      terms.push_back({i, 1 / static_cast<double>(hidden.size())});
    }
  const std::vector<double> costs = asking.costs();
  std::vector<double> bounds(questions.size());
  for (std::size_t i = 0; i < terms.size(); ++i)
    bounds[terms[i].question] += terms[i].weight * costs[i];
  return bounds;
}

}  // namespace ablate::probes
