// Bounds the likelihood of held-out documents in every way that an arm allows: which number a paper should
// print, and how much it varies.
//
// Sources: Sahoo et al. 2024, arXiv:2406.07524, section 3.4 (over times); Uria et al. 2014, arXiv:1310.1757
// (over orders); Ou et al. 2024, arXiv:2406.03736 (by the number of hidden tokens: the same expectation).

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/base/error.h"
#include "harness/base/shuffle.h"
#include "harness/probes/bounds/draws_spec.h"
#include "harness/probes/bounds/ways_spec.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/drawn_documents.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/documents.h"
#include "harness/probes/measuring.h"
#include "harness/probes/scoring.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kBoundRowsAtOnce = 32;

/// Held-out documents without their end, from the begin token on, and the question of all their words.
struct AskedDocuments {
  std::vector<std::span<const Token>> texts;
  std::vector<Cloze> questions;
  double tokens = 0;  // words of all
};

AskedDocuments asked_documents(const Subject& subject, std::size_t count) {
  const auto longest = static_cast<std::size_t>(subject.phase.context - kRoomForMarks);
  AskedDocuments asked;
  for (std::span<const Token> text : drawn_documents(subject, count, longest)) {
    text = text.first(std::min(text.size(), longest));
    if (text.back() == end_token) text = text.first(text.size() - 1);
    asked.texts.push_back(text);
    asked.questions.push_back({text.first(1), text.subspan(1), {}});
    asked.tokens += static_cast<double>(text.size() - 1);
  }
  return asked;
}

/// The total loss of each list of examples in nats, with the weights of their targets.
std::vector<double> weighted_costs(const Subject& subject, std::span<const Example> examples) {
  std::vector<double> totals(examples.size());
  for (std::size_t first = 0; first < examples.size(); first += kBoundRowsAtOnce) {
    const std::size_t count = std::min(kBoundRowsAtOnce, examples.size() - first);
    const data::Batch batch =
        example_batch(examples.subspan(first, count), subject.phase.objective.needs);
    const data::Scored& scored = batch.primary_scored();
    const TargetScores scores =
        score_targets(subject.network, batch, subject.device)[batch.primary];
    for (std::size_t i = 0; i < scores.costs.size(); ++i)
      totals[first + static_cast<std::size_t>(scored.positions[i] / batch.time)] +=
          static_cast<double>(scored.weights[i]) * scores.costs[i];
  }
  return totals;
}

/// The loss of training over a document, at times that its draws share out.
DrawnCosts own_costs(const Subject& subject, const AskedDocuments& asked, std::size_t draws,
                     Rng rng) {
  const Params held_out = held_out_params(subject.objective(), subject.phase.params);
  const Objective objective = objective_at(subject, held_out);
  DrawnCosts drawn;
  for (std::size_t i = 0; i < asked.texts.size(); ++i) {
    std::vector<Example> examples;
    for (std::size_t draw = 0; draw < draws; ++draw) {
      const Text text{.tokens = asked.texts[i],
                      .index = static_cast<std::int64_t>(i),
                      .row = static_cast<std::int64_t>(draw),
                      .rows = static_cast<std::int64_t>(draws)};
      std::vector<Example> made = objective.transform(text, rng.fork(i).fork(draw));
      if (made.size() != 1)
        fail("bounds: an objective with a likelihood makes {} examples of a text", made.size());
      examples.push_back(std::move(made.front()));
    }
    drawn.push_back(weighted_costs(subject, examples));
  }
  return drawn;
}

/// The question with the tokens from number `rank` of an order on hidden, of which the first is scored.
Example asked_in_order(const Objective& objective, const Cloze& cloze,
                       std::span<const std::size_t> order, std::size_t rank) {
  std::vector<std::size_t> hidden(order.begin() + static_cast<std::ptrdiff_t>(rank), order.end());
  std::sort(hidden.begin(), hidden.end());
  Example example = objective.cloze_hidden(cloze, hidden);
  auto which = std::lower_bound(hidden.begin(), hidden.end(), order[rank]) - hidden.begin();
  for (float& weight : example.weights)
    if (weight > 0 && which-- != 0) weight = 0;
  return example;
}

/// What is asked about a document in one draw, and what its cost counts.
struct AskedDraw {
  std::vector<Example> examples;
  double weight = 1;
};

/// The weighted cost of each draw of each document. `ask`: of a question, the number of the draw and its
/// random numbers.
template <class Ask>
DrawnCosts drawn_costs(const Subject& subject, const AskedDocuments& asked, std::size_t draws,
                       Rng rng, const Ask& ask) {
  DrawnCosts drawn;
  for (std::size_t i = 0; i < asked.questions.size(); ++i) {
    std::vector<std::vector<Example>> examples;
    std::vector<double> weights;
    for (std::size_t draw = 0; draw < draws; ++draw) {
      AskedDraw one = ask(asked.questions[i], draw, rng.fork(i).fork(draw));
      examples.push_back(std::move(one.examples));
      weights.push_back(one.weight);
    }
    std::vector<double>& costs = drawn.emplace_back(example_costs(subject, std::move(examples)));
    for (std::size_t draw = 0; draw < draws; ++draw) costs[draw] *= weights[draw];
  }
  return drawn;
}

/// A document in a random order, whose cost is -log p in that order.
AskedDraw in_random_order(const Objective& objective, const Cloze& cloze, Rng rng) {
  const std::vector<std::size_t> order = random_order(cloze.target.size(), rng);
  AskedDraw asked;
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    asked.examples.push_back(asked_in_order(objective, cloze, order, rank));
  return asked;
}

/// A document at a time t of the upper half, uniform over [.5, 1) and shared out over the draws: 1 / t
/// times the cost of tokens hidden with probability t.
AskedDraw at_a_late_time(const Objective& objective, const Cloze& cloze, std::size_t draw,
                         std::size_t draws, Rng rng) {
  const double time =
      0.5 + 0.5 * (static_cast<double>(draw) + rng.uniform()) / static_cast<double>(draws);
  std::vector<std::size_t> hidden;
  for (std::size_t token = 0; token < cloze.target.size(); ++token)
    if (rng.uniform() < time) hidden.push_back(token);
  AskedDraw asked{{}, 1 / time};
  if (!hidden.empty()) asked.examples.push_back(objective.cloze_hidden(cloze, hidden));
  return asked;
}

DrawnCosts costs_by_count(const Subject& subject, const AskedDocuments& asked, std::size_t draws,
                          Rng rng) {
  DrawnCosts drawn(asked.questions.size());
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const std::vector<double> costs = bound_costs(subject, asked.questions, rng.fork(draw));
    for (std::size_t i = 0; i < costs.size(); ++i) drawn[i].push_back(costs[i]);
  }
  return drawn;
}

}  // namespace

Measurement measure_bounds(const Subject& subject, const plan::ResolvedProbe& probe,
                           const ProgressSink& progress) {
  const BoundWays ways = bound_ways(subject.objective(), subject.phase.params);
  if (ways.none()) return no_measurement("bounds", kNoFormat);
  const AskedDocuments asked =
      asked_documents(subject, static_cast<std::size_t>(probe.params.integer("documents")));
  if (asked.texts.empty())
    fail(
        "bounds: no held-out document has 6 tokens of text and no special ones within the context; "
        "use a longer one, or leave 'bounds' out of the probes");
  const auto draws = static_cast<std::size_t>(probe.params.integer("draws"));
  const Rng rng = asking_rng(subject).fork("bounds");
  Measurement measurement{.details = {{"documents", asked.texts.size()}, {"tokens", asked.tokens}}};
  auto& metrics = measurement.metrics;
  const auto add = [&](const std::string& name, const DrawnCosts& drawn) {
    metrics["bounds." + name] = nats_a_token(drawn, asked.tokens);
    metrics["bounds." + name + "_spread"] = spread_of(drawn, asked.tokens);
    std::vector<double> items;
    for (const std::vector<double>& document : drawn)
      items.push_back(mean_draw(document) * static_cast<double>(drawn.size()) / asked.tokens);
    measurement.items["bounds." + name] = std::move(items);
  };
  if (subject.language) {
    double exact = 0;
    for (const Cloze& cloze : asked.questions)
      exact += exact_cost(subject.language->chain(), cloze, ways.given);
    metrics["bounds.exact"] = exact / asked.tokens;
  }
  if (ways.own) {
    add("own", own_costs(subject, asked, draws, rng.fork("own")));
  }
  progress(0.2);
  const auto left_to_right = [&](const Subject& of) {
    const std::vector<double> costs = cloze_costs(of, asked.questions);
    return std::accumulate(costs.begin(), costs.end(), 0.0) / asked.tokens;
  };
  if (ways.chain) metrics["bounds.left_to_right"] = left_to_right(subject);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const Subject untrained = subject.with(*initial);
  metrics["bounds.untrained"] =
      ways.own ? nats_a_token(own_costs(untrained, asked, draws, rng.fork("own")), asked.tokens)
               : left_to_right(untrained);
  progress(0.3);
  if (ways.orders) {
    const Objective& objective = subject.phase.objective;
    const DrawnCosts orders = drawn_costs(subject, asked, draws, rng.fork("orders"),
                                          [&](const Cloze& cloze, std::size_t, Rng own) {
                                            return in_random_order(objective, cloze, own);
                                          });
    add("random_order", orders);
    metrics["bounds.mixture_of_orders"] = of_mixture(orders, asked.tokens);
    progress(0.7);
    add("by_count", costs_by_count(subject, asked, draws, rng.fork("counts")));
    const DrawnCosts late = drawn_costs(subject, asked, draws, rng.fork("half"),
                                        [&](const Cloze& cloze, std::size_t draw, Rng own) {
                                          return at_a_late_time(objective, cloze, draw, draws, own);
                                        });
    metrics["bounds.half_of_times"] = nats_a_token(late, asked.tokens);
  }
  progress(1);
  return measurement;
}

}  // namespace ablate::probes
