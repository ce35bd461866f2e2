// What the cloze probe says beside the chain: the bound over orders, the stop token, the orders of
// fill-in-the-middle, perplexity and the untrained model.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "harness/probes/cloze/hidden_sets.h"
#include "harness/probes/cloze/questions.h"
#include "harness/statistics/one_sample/summary.h"
#include "tests/harness/probes/cloze/asking.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr Token kTarget[] = {special_count + 3, special_count, special_count + 2};

TEST(HiddenSets, HaveEverySizeOnceAndComplementsOfEachOther) {
  for (std::size_t count = 0; count < 12; ++count) {
    const auto sets = stratified_sets(count, Rng(count));
    std::map<std::size_t, std::vector<std::size_t>> by_size;
    for (const auto& set : sets) {
      EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
      by_size[set.size()] = set;
    }
    ASSERT_EQ(sets.size(), count);
    ASSERT_EQ(by_size.size(), count) << "a set of every size";
    for (std::size_t size = 1; 2 * size < count; ++size) {
      std::vector<std::size_t> both = by_size.at(size);
      both.insert(both.end(), by_size.at(count - size).begin(), by_size.at(count - size).end());
      std::sort(both.begin(), both.end());
      EXPECT_EQ(both, by_size.at(count));
    }
  }
}

TEST(HiddenSets, HideEveryNumberEquallyOften) {
  constexpr std::size_t kCount = 5, kDraws = 2000;
  std::map<std::pair<std::size_t, std::size_t>, double> hidden;  // by size and number
  for (std::uint64_t seed = 0; seed < kDraws; ++seed)
    for (const auto& set : stratified_sets(kCount, Rng(seed)))
      for (const std::size_t number : set) ++hidden[{set.size(), number}];
  for (const auto& [key, times] : hidden) {
    const double expected = static_cast<double>(key.first) / kCount;
    const double sigma = std::sqrt(expected * (1 - expected) / kDraws);
    EXPECT_NEAR(times / kDraws, expected, 4.5 * sigma + 1e-12) << key.first << ", " << key.second;
  }
}

/// What a network says of a question, all orders counted.
struct AllOrders {
  double bound = 0;    // the sum over sizes of the mean cost over all sets of a size
  double chains = 0;   // the mean over orders of the cost of revealing in that order
  double mixture = 0;  // -log of the mean over orders of the probability
};

double cost_of(const Subject& subject, const Example& example) {
  return example_costs(subject, {{example}}).front();
}

AllOrders all_orders(const Subject& subject, const Cloze& question) {
  const std::size_t count = question.target.size();
  const auto& hide = subject.phase.objective.cloze_hidden;
  AllOrders all;
  std::map<std::size_t, std::vector<double>> by_size;
  for (unsigned bits = 1; bits < 1U << count; ++bits) {
    std::vector<std::size_t> hidden;
    for (std::size_t i = 0; i < count; ++i)
      if (bits >> i & 1U) hidden.push_back(i);
    by_size[hidden.size()].push_back(cost_of(subject, hide(question, hidden)));
  }
  for (const auto& [size, costs] : by_size)
    all.bound +=
        std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size() * size);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double orders = 0, probability = 0;
  do {
    double chain = 0;
    for (std::size_t step = 0; step < count; ++step) {
      std::vector<std::size_t> hidden(order.begin() + static_cast<std::ptrdiff_t>(step),
                                      order.end());
      std::sort(hidden.begin(), hidden.end());
      Example example = hide(question, hidden);
      for (std::size_t i = 0; i < example.weights.size(); ++i)
        if (i != question.left.size() + order[step]) example.weights[i] = 0;
      chain += cost_of(subject, example);
    }
    ++orders;
    all.chains += chain;
    probability += std::exp(-chain);
  } while (std::next_permutation(order.begin(), order.end()));
  all.chains /= orders;
  all.mixture = -std::log(probability / orders);
  return all;
}

TEST(Bound, IsTheMeanOverOrdersAndAboveTheCostOfTheirMixture) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  for (const char* objective : {"masked_lm", "masked_diffusion"}) {
    Oracle network(arbitrary_rule(world.vocabulary()));
    network.in_double();
    with_subject(world, {{"type", objective}}, network, [&](const Subject& subject) {
      const Cloze question{kLeft, kTarget, kOpenRight};
      const AllOrders all = all_orders(subject, question);
      EXPECT_NEAR(all.bound, all.chains, kExact) << objective;
      EXPECT_GT(all.bound, all.mixture + 1e-3);
      double sum = 0, squares = 0;
      constexpr int kDraws = 400;
      for (int seed = 0; seed < kDraws; ++seed) {
        const double drawn =
            bound_costs(subject, {&question, 1}, Rng(static_cast<std::uint64_t>(seed))).front();
        sum += drawn;
        squares += drawn * drawn;
      }
      const double mean = sum / kDraws;
      const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
      EXPECT_NEAR(mean, all.bound, 4.5 * error) << "the draws are unbiased";
    });
  }
}

TEST(Bound, OfTheExactPredictorIsTheExactCost) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  const Chain& chain = world.language.chain();
  const auto [spec, params] = spec_of({{"type", "masked_diffusion"}});
  Oracle network(chain, exact_rule(chain, *spec, params));
  network.in_double();
  with_subject(world, {{"type", "masked_diffusion"}}, network, [&](const Subject& subject) {
    for (const std::vector<Token>& target : all_texts(world.vocabulary(), 3)) {
      const Cloze question{kLeft, target, kOpenRight};
      const double exact = exact_cost(chain, question, ClozeFormat::told_length);
      // Each order's chain is exact, so their mean is; a bound of one draw is not.
      EXPECT_NEAR(all_orders(subject, question).bound, exact, kExact);
    }
  });
}

/// Logits that depend on what is seen; only ordinary ids and `stop` have probability.
Oracle::Rule stopping_rule(const Vocabulary& vocabulary, Token stop) {
  return [rule = arbitrary_rule(vocabulary), stop](const Seen& seen) {
    std::vector<double> logits = rule(seen);
    logits[static_cast<std::size_t>(stop)] = std::sin(static_cast<double>(seen.visible.back()));
    return logits;
  };
}

double sum_of(std::vector<double> costs) {
  double sum = 0;
  for (const double cost : costs) sum += std::exp(-cost);
  return sum;
}

std::vector<double> added(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

/// The token by which the format ends a target; pad where none does.
Token stop_token(const Subject& subject, std::span<const Token> right) {
  if (!subject.phase.objective.cloze_stop) return pad_token;
  const std::vector<Example> asked = subject.phase.objective.cloze_stop({kLeft, kTarget, right});
  if (asked.empty()) return pad_token;
  const Example& example = asked.front();
  EXPECT_EQ(std::accumulate(example.weights.begin(), example.weights.end(), 0.0f), 1.0f);
  const auto scored = std::max_element(example.weights.begin(), example.weights.end());
  return example.targets[static_cast<std::size_t>(scored - example.weights.begin())];
}

// The targets that stop after one or two tokens, and those that have three: everything that begins
// with a first token.
TEST(Stop, MakesTargetsOfAllLengthsSumToOne) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  std::size_t with_infill = 0, with_continuation = 0;
  for (const Json& objective : with_format())
    for (const std::span<const Token> right : kRights) {
      Oracle any(arbitrary_rule(world.vocabulary()));
      Token stop = pad_token;
      with_subject(world, objective, any,
                   [&](const Subject& subject) { stop = stop_token(subject, right); });
      if (stop == pad_token) continue;
      ++(right.empty() ? with_continuation : with_infill);
      Oracle network(stopping_rule(world.vocabulary(), stop));
      network.in_double();
      with_subject(world, objective, network, [&](const Subject& subject) {
        double stopped = 0, first = 0, longest = 0;
        for (std::size_t length = 1; length <= 3; ++length) {
          const auto targets = all_texts(world.vocabulary(), length);
          std::vector<Cloze> questions;
          for (const std::vector<Token>& target : targets)
            questions.push_back({kLeft, target, right});
          const std::vector<double> costs = cloze_costs(subject, questions);
          if (length == 1) first = sum_of(costs);
          if (length == 3)
            longest = sum_of(costs);
          else
            stopped += sum_of(added(costs, stop_costs(subject, questions)));
        }
        EXPECT_NEAR(stopped + longest, first, kExact) << objective << right.size();
        EXPECT_GT(stopped, 0.01);
      });
    }
  EXPECT_GE(with_continuation, 9u);
  EXPECT_GE(with_infill, 6u) << "three of fill-in-the-middle, span corruption, mixtures";
}

TEST(Stop, IsWhatTheFormatSaysItIs) {
  const SmallWorld world;
  Oracle network(arbitrary_rule(world.vocabulary()));
  const auto stop = [&](const char* objective, std::span<const Token> right) {
    Token token = pad_token;
    with_subject(world, {{"type", objective}}, network,
                 [&](const Subject& subject) { token = stop_token(subject, right); });
    return token;
  };
  for (const char* objective : {"causal_lm", "multi_token_prediction", "prefix_lm", "denoising"}) {
    EXPECT_EQ(stop(objective, {}), end_token) << objective;
    EXPECT_EQ(stop(objective, kRight), pad_token) << objective;
  }
  EXPECT_EQ(stop("fill_in_the_middle", {}), end_token);
  EXPECT_EQ(stop("fill_in_the_middle", kRight), end_middle_token);
  EXPECT_EQ(stop("span_corruption", kRight), end_token);
  EXPECT_EQ(stop("masked_lm", kRight), pad_token) << "it is told the length";
}

Measurement cloze_measured(const SmallWorld& world, const Json& objective) {
  Oracle network(world.language.chain(), arbitrary_rule(world.vocabulary()));
  return measured(world, trial_of(objective), network, kClozeProbe);
}

TEST(ClozeMetrics, AreThoseThatTheSpecLists) {
  const SmallWorld world;
  for (const Json& objective : with_format()) {
    const auto [spec, params] = spec_of(objective);
    const plan::ResolvedProbe probe = probe_of(kClozeProbe);
    std::vector<std::string> listed, found;
    for (const Metric& metric : probe.spec->metrics(probe.params, {*spec, params, {}, {}, true}))
      listed.push_back(metric.name);
    for (const auto& [name, value] : cloze_measured(world, objective).metrics)
      found.push_back(name);
    EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(listed)) << objective;
  }
}

TEST(ClozeMetrics, HaveBothOrdersOfFillInTheMiddleWhateverWasTrainedOn) {
  const SmallWorld world;
  const auto of = [&](double spm_rate) {
    return cloze_measured(world,
                          {{"type", "fill_in_the_middle"}, {"rate", 0.5}, {"spm_rate", spm_rate}});
  };
  const auto both = of(0.5).metrics;
  EXPECT_NE(both.at("cloze.psm_infill"), both.at("cloze.spm_infill"));
  for (const double spm_rate : {0.0, 0.5, 1.0}) {
    const Measurement m = of(spm_rate);
    for (const char* name : {"cloze.psm_infill", "cloze.spm_infill"})
      EXPECT_EQ(m.metrics.at(name), both.at(name)) << spm_rate;
    const std::string chosen = m.details.at("order").at("chosen");
    EXPECT_EQ(m.metrics.at("cloze.loss_infill"), both.at("cloze." + chosen + "_infill"));
  }
}

TEST(ClozeMetrics, AskForAMiddleInTheOrderThatIsBetterOnDocumentsThatAreNotScored) {
  const SmallWorld world;
  for (const char* order : {"spm", "psm"}) {
    Oracle network(world.language.chain(), knowing(order, world.vocabulary()));
    const auto found = [&](std::int64_t documents) {
      return measured(world, trial_of({{"type", "fill_in_the_middle"}}), network,
                      {{"type", "cloze"}, {"documents", documents}});
    };
    const Measurement m = found(20);
    const Json& chosen = m.details.at("order");
    EXPECT_EQ(chosen.at("chosen"), order);
    EXPECT_EQ(chosen.at("development_documents"), 32);
    EXPECT_LT(chosen.at("development_losses").at(order), 2.6) << "ln 12 is 2.48";
    EXPECT_EQ(m.metrics.at("cloze.loss_infill"),
              m.metrics.at(fmt::format("cloze.{}_infill", order)));
    EXPECT_NEAR(m.metrics.at("cloze.loss_infill"), std::log(world.vocabulary().ordinary), 1e-5);
    EXPECT_GT(m.metrics.at("cloze.with_stop_infill"), m.metrics.at("cloze.loss_infill") + 100)
        << "the stop is asked for in the same order, where it is no text";
    const Measurement all = found(100'000);
    EXPECT_EQ(all.details.at("order").at("chosen"), "spm") << "no document is left to choose by";
    EXPECT_EQ(all.details.at("order").at("development_documents"), 0);
  }
}

TEST(ClozeMetrics, HaveThePerplexityOfAChainAndTheUntrainedModel) {
  const SmallWorld world;
  const auto causal = cloze_measured(world, {{"type", "causal_lm"}}).metrics;
  EXPECT_DOUBLE_EQ(causal.at("cloze.perplexity_continuation"),
                   std::exp(causal.at("cloze.loss_continuation")));
  EXPECT_NEAR(causal.at("cloze.untrained_infill"), std::log(world.vocabulary().size()), 1e-5)
      << "the fixture's untrained model is uniform";
  const auto masked = cloze_measured(world, {{"type", "masked_lm"}}).metrics;
  EXPECT_FALSE(masked.contains("cloze.perplexity_continuation"));
  EXPECT_FALSE(masked.contains("cloze.with_stop_continuation"));
  EXPECT_TRUE(masked.contains("cloze.bound_infill"));
}

TEST(ClozeMetrics, AreTheMeanOfWhatDocumentsContribute) {
  const SmallWorld world;
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const Measurement m = cloze_measured(world, {{"type", objective}});
    for (const std::string name : {"continuation", "infill", "infill_from_left"}) {
      const std::vector<double>& contributed = m.items.at("cloze.loss_" + name);
      EXPECT_EQ(contributed.size(), m.details.at("documents").get<std::size_t>());
      EXPECT_NEAR(statistics::mean(contributed), m.metrics.at("cloze.loss_" + name), 1e-9)
          << objective << name;
    }
  }
}

TEST(ClozeMetrics, CountTheStopOfDocumentsThatAreNotCut) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m = measured(world, trial_of({{"type", "causal_lm"}}), network, kClozeProbe);
  const Json& stop = m.details.at("stop").at("continuation");
  const double documents = stop.at("documents");
  EXPECT_GT(documents, 0);
  EXPECT_LT(documents, 20) << "some are cut";
  EXPECT_NEAR(stop.at("without_stop"), m.metrics.at("cloze.loss_continuation"), 1e-5);
  EXPECT_GT(m.metrics.at("cloze.with_stop_continuation"), m.metrics.at("cloze.loss_continuation"));
}

}  // namespace
}  // namespace ablate::probes
