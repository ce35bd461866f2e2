// Asks a network the questions of the cloze probe, many rows in one batch.

#include "harness/probes/cloze/costs.h"

#include <algorithm>
#include <numeric>

#include "harness/probes/cloze/hidden_sets.h"
#include "harness/probes/documents.h"
#include "harness/probes/scoring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kRowsAtOnce = 32;

/// Asks a network and keeps what it makes of the targets of each question.
class Asking {
 public:
  explicit Asking(const Subject& subject) : subject_(subject) {}

  /// Asks the examples of one more question.
  void ask(std::vector<Example> examples) {
    for (Example& example : examples) {
      rows_.push_back(std::move(example));
      asked_.push_back(answers_.size());
    }
    answers_.emplace_back();
    while (rows_.size() >= kRowsAtOnce) score();
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
  /// Scores the oldest rows that wait.
  void score() {
    const std::size_t count = std::min(kRowsAtOnce, rows_.size());
    const data::Batch batch =
        example_batch(std::span(rows_).first(count), subject_.phase.objective.needs);
    const TargetScores scores = score_targets(subject_.network, batch, subject_.device).front();
    for (std::size_t i = 0; i < scores.costs.size(); ++i) {
      const auto row = static_cast<std::size_t>(batch.scored.front().positions[i] / batch.time);
      AnswerScores& answer = answers_[asked_[row]];
      answer.costs.push_back(scores.costs[i]);
      answer.right.push_back(scores.right[i]);
    }
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
    asked_.erase(asked_.begin(), asked_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  const Subject& subject_;
  std::vector<Example> rows_;       // that wait to be scored
  std::vector<std::size_t> asked_;  // the question of each row
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
