#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "harness/base/shuffle.h"
#include "objectives/common/orders/partial_prediction.h"
#include "objectives/common/orders/two_streams.h"
#include "tests/objectives/enumerated.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/streams.h"
#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

Objective permutation(const Json& given, Token ordinary = 100, std::int64_t length = 64) {
  return objective_of("permutation_lm", given, ordinary, length);
}

/// The document of each place: those of a document follow each other, and all see from its first one on.
std::vector<std::size_t> documents_of(const Example& example) {
  std::vector<std::size_t> documents;
  for (const Sight& sight : example.sees) documents.push_back(static_cast<std::size_t>(sight.from));
  return documents;
}

TEST(PartialPrediction, FollowsTheLawsOfTheVectors) {
  const Json family = vectors_of("permutation_lm");
  std::size_t laws = 0;
  for (const Json& one : family.at("laws")) {
    const std::int64_t alpha = one.at("alpha"), beta = one.at("beta");
    if (one.at("overshoot") == "kept" || alpha % beta != 0) continue;  // not offered
    SCOPED_TRACE(one.dump().substr(0, 200));
    const PartialPrediction settings{.longest = one.at("max_gram"),
                                     .context = alpha / beta,
                                     .words = one.at("grams") == "words"};
    const std::vector<std::uint8_t> starts = one.at("word_starts");
    std::map<std::vector<Token>, double> law;
    for (const Json& outcome : one.at("outcomes"))
      law[outcome.at("mask").get<std::vector<Token>>()] = outcome.at("probability").get<double>();
    expect_distribution(law, 20000, [&](std::uint64_t draw) {
      std::vector<Token> mask(starts.size(), 0);
      for (const std::int32_t place :
           choose_partly(settings, starts, one.at("goal"), Rng(7).fork(draw)))
        mask[static_cast<std::size_t>(place)] = 1;
      return mask;
    });
    ++laws;
  }
  EXPECT_GE(laws, 15u);
}

TEST(PartialPrediction, PredictsTheStatedNumberOfTokensOfEveryText) {
  for (const double rate : {1.0 / 6, .5, 1.0})
    for (std::size_t length : {1u, 5u, 41u, 64u, 200u}) {
      const std::vector<Token> tokens = text_of(length);
      const Text text{.tokens = tokens};
      std::int64_t words = 0;
      for (std::size_t i = 0; i < length; ++i) words += text.is_special(i) ? 0 : 1;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Positions predicted = predicted_partly({.rate = rate}, text, Rng(seed));
        EXPECT_TRUE(std::is_sorted(predicted.begin(), predicted.end()));
        EXPECT_EQ(std::set(predicted.begin(), predicted.end()).size(), predicted.size());
        for (const std::int32_t position : predicted)
          EXPECT_FALSE(text.is_special(static_cast<std::size_t>(position)));
        EXPECT_EQ(std::ssize(predicted),
                  std::max<std::int64_t>(1, static_cast<std::int64_t>(
                                                std::nearbyint(rate * static_cast<double>(words)))))
            << rate << " of " << words;
      }
    }
}

TEST(TwoStreams, ShowWhatTheVectorsSay) {
  const Json family = vectors_of("permutation_lm");
  ASSERT_FALSE(family.at("sight").empty());
  for (const Json& one : family["sight"]) {
    SCOPED_TRACE(one.dump().substr(0, 200));
    const std::vector<Token> tokens = one.at("tokens");
    const Positions targets = one.at("targets");
    const TokenOrder order{.positions = one.at("order").get<Positions>(), .told_length = false};
    const Example example = two_streams(tokens, order);
    std::vector<std::int32_t> at;  // of each place, the position in the text
    std::size_t first = 0;
    for (std::size_t i = 0; i < example.inputs.size(); ++i) {
      if (i > 0 && example.sees[i].from != example.sees[i - 1].from)
        first = document_end(tokens, first);
      at.push_back(static_cast<std::int32_t>(first) + example.positions[i]);
    }
    std::size_t queries = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      std::vector<std::int32_t> seen(at.begin() + example.sees[i].from,
                                     at.begin() + example.sees[i].until);
      std::sort(seen.begin(), seen.end());
      const bool query = example.weights[i] > 0;
      const auto number = query ? std::find(targets.begin(), targets.end(), at[i]) - targets.begin()
                                : std::ptrdiff_t{at[i]};
      EXPECT_EQ(Json(seen),
                one.at(query ? "query_sees" : "content_sees").at(static_cast<std::size_t>(number)))
          << (query ? "query of " : "token ") << at[i];
      EXPECT_EQ(example.inputs[i],
                query ? Token{mask_token} : tokens[static_cast<std::size_t>(at[i])]);
      EXPECT_EQ(example.targets[i], tokens[static_cast<std::size_t>(at[i])]);
      queries += query ? 1 : 0;
    }
    EXPECT_EQ(queries, order.positions.size());
    EXPECT_EQ(at.size() - queries, tokens.size());
  }
}

TEST(PermutationLm, GivesNoTargetAway) {
  for (const char* order : {"partial", "uniform", "text"}) {
    const Objective objective = permutation({{"order", order}});
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const std::vector<Token> tokens = text_of(64);
      const Example example = objective.transform({.tokens = tokens}, Rng(seed)).front();
      EXPECT_EQ(given_away(example, documents_of(example)), "") << order;
    }
  }
}

TEST(PermutationLm, PlantedTrapsAreCaught) {
  const std::vector<Token> tokens = text_of(20);
  const Example proper = permutation(Json::object()).transform({.tokens = tokens}, Rng(3)).front();
  const auto documents = documents_of(proper);
  ASSERT_EQ(given_away(proper, documents), "");
  const auto is_query = [&](std::size_t i) { return proper.weights[i] > 0; };
  // Queries that see their own token: one rank too many.
  Example example = proper;
  for (std::size_t i = 0; i < example.sees.size(); ++i)
    if (is_query(i)) ++example.sees[i].until;
  EXPECT_NE(given_away(example, documents).find("its own token"), std::string::npos);
  // XLNet's index, with targets that the context sees: what is predicted comes back through it.
  example = proper;
  const auto last = std::find_if(proper.weights.begin(), proper.weights.end(),
                                 [](float weight) { return weight > 0; });
  for (std::size_t i = 0; i < example.sees.size(); ++i)
    if (proper.sees[i].until <= proper.sees.front().until)
      example.sees[i].until = static_cast<std::int32_t>(last - proper.weights.begin());
  EXPECT_NE(given_away(example, documents).find("its own token"), std::string::npos);
}

/// The cost of each step of an order by enumeration, added up.
double cost_in_order(const Chain& chain, const std::vector<Token>& window, const Positions& order) {
  std::vector<bool> known(window.size(), true);
  for (const std::int32_t position : order) known[static_cast<std::size_t>(position)] = false;
  double cost = 0;
  for (const std::int32_t position : order) {
    const double before = probability_of(chain, window, known);
    known[static_cast<std::size_t>(position)] = true;
    cost -= std::log(probability_of(chain, window, known) / before);
  }
  return cost;
}

/// The order of an example's queries, as positions of a window of one document or of several.
Positions order_of(const Example& example, const std::vector<Token>& window) {
  Positions order;
  std::size_t first = 0;
  for (std::size_t i = 0; i < example.inputs.size(); ++i) {
    if (i > 0 && example.sees[i].from != example.sees[i - 1].from)
      first = document_end(window, first);
    if (example.weights[i] > 0)
      order.push_back(static_cast<std::int32_t>(first) + example.positions[i]);
  }
  return order;
}

TEST(PermutationLm, HasTheOptimumThatEnumerationGivesInEveryOrder) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const Chain chain = tiny_chain(seed);
    for (const char* kind : {"partial", "uniform"})
      for (const std::vector<Token>& window : tiny_windows()) {
        const Objective objective =
            permutation({{"order", kind}, {"rate", .5}, {"context", 1}}, 3, 8);
        const Text text{.tokens = window};
        std::set<double> totals;
        for (std::uint64_t draw = 0; draw < 6; ++draw) {
          const Example example = objective.transform(text, Rng(draw)).front();
          const Loss loss = objective.optimum(chain, text, example);
          const Positions order = order_of(example, window);
          EXPECT_NEAR(loss.total, cost_in_order(chain, window, order), 1e-10);
          EXPECT_EQ(loss.weight, static_cast<double>(order.size()));
          totals.insert(std::round(loss.total * 1e9));
        }
        // -log p of the text, whatever the order.
        if (std::string(kind) == "uniform") {
          EXPECT_EQ(totals.size(), 1u);
        }
      }
  }
}

TEST(PermutationLm, InTextOrderHasTheOptimumAndFloorOfCausalLm) {
  const Chain chain = tiny_chain(3);
  const Objective permuted = permutation({{"order", "text"}}, 3, 8);
  const Objective causal = objective_of("causal_lm", Json::object(), 3, 8);
  const std::vector<double> words = unigram(chain);
  for (const std::vector<Token>& window : tiny_windows()) {
    const Text text{.tokens = window};
    const Example ours = permuted.transform(text, Rng(1)).front();
    const Example theirs = causal.transform(text, Rng(1)).front();
    const Loss own = permuted.optimum(chain, text, ours);
    const Loss other = causal.optimum(chain, text, theirs);
    EXPECT_DOUBLE_EQ(own.total, other.total);
    EXPECT_EQ(own.weight, other.weight);
    EXPECT_NEAR(permuted.context_free(words, text, ours).total,
                causal.context_free(words, text, theirs).total, 1e-12);
    // Every place sees what stands before it, and its query the same without it.
    for (std::size_t i = 0; i < ours.inputs.size(); ++i)
      for (std::int32_t j = ours.sees[i].from; j < ours.sees[i].until; ++j) {
        const std::int32_t seen = ours.positions[static_cast<std::size_t>(j)];
        EXPECT_TRUE(ours.weights[i] > 0 ? seen < ours.positions[i] : seen <= ours.positions[i]);
      }
  }
}

TEST(PermutationLm, PermutesWithinBlocks) {
  const std::vector<Token> tokens = text_of(16, 50);
  const Objective objective = permutation({{"order", "uniform"}, {"block", 4}});
  std::set<Positions> orders;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Example example = objective.transform({.tokens = tokens}, Rng(seed)).front();
    const Positions order = order_of(example, tokens);
    ASSERT_EQ(order.size(), 16u);
    for (std::size_t rank = 0; rank < order.size(); ++rank)
      EXPECT_EQ(static_cast<std::size_t>(order[rank]) / 4, rank / 4);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 20u);
  EXPECT_THROW(permutation({{"order", "text"}, {"block", 4}}), std::invalid_argument);
}

TEST(PermutationLm, AsksForATargetWithBothSidesShownOrWithWhatIsLeftOfIt) {
  const std::vector<Token> left = {begin_token, 20, 21}, target = {22, 23}, right = {24, end_token};
  const Cloze cloze{left, target, right};
  for (const char* kind : {"partial", "uniform", "text"}) {
    const Objective objective = permutation({{"order", kind}});
    const std::vector<Example> asked = objective.cloze(cloze);
    ASSERT_EQ(asked.size(), 1u);
    const Example& example = asked.front();
    std::vector<Token> scored;
    for (std::size_t i = 0; i < example.targets.size(); ++i) {
      if (!(example.weights[i] > 0)) continue;
      scored.push_back(example.targets[i]);
      const auto& seen = example.sees[i];
      const auto sees = [&](Token token) {
        return std::find(example.inputs.begin() + seen.from, example.inputs.begin() + seen.until,
                         token) != example.inputs.begin() + seen.until;
      };
      EXPECT_TRUE(sees(20) && sees(21));
      EXPECT_EQ(sees(22), scored.size() == 2);
      EXPECT_FALSE(sees(23));
      EXPECT_EQ(sees(24), std::string(kind) != "text");
    }
    EXPECT_EQ(scored, target);
    EXPECT_EQ(given_away(example, documents_of(example)), "");
    ASSERT_EQ(static_cast<bool>(objective.cloze_hidden), std::string(kind) != "text");
    if (!objective.cloze_hidden) continue;
    const std::size_t both[] = {0, 1};
    const Example hidden = objective.cloze_hidden(cloze, both);
    EXPECT_EQ(std::count(hidden.inputs.begin(), hidden.inputs.end(), Token{mask_token}), 2);
    EXPECT_EQ(std::count(hidden.inputs.begin(), hidden.inputs.end(), Token{22}), 0);
    EXPECT_EQ(given_away(hidden, documents_of(hidden)), "");
  }
}

TEST(PermutationLm, SaysHowLongACutDocumentIs) {
  const std::vector<Token> cut = {begin_token, 20, 21}, ended = {begin_token, 20, end_token};
  for (const char* kind : {"partial", "uniform", "text"}) {
    const Objective objective = permutation({{"order", kind}});
    const auto closed = [&](const std::vector<Token>& tokens) {
      const Example example = objective.transform({.tokens = tokens}, Rng(1)).front();
      return std::count(example.inputs.begin(), example.inputs.end(), Token{separator_token});
    };
    EXPECT_EQ(closed(cut), std::string(kind) == "text" ? 0 : 1);
    EXPECT_EQ(closed(ended), 0);
  }
}

}  // namespace
}  // namespace ablate::objectives
