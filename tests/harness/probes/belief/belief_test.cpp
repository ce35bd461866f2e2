// The belief probe: its posteriors are those of enumeration, and it reads off what a layer holds.

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "harness/probes/belief/beliefs.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

const Json kBeliefProbe = {{"type", "belief"},
                           {"training_tokens", 3000},
                           {"development_tokens", 1000},
                           {"test_tokens", 3000}};

SmallWorld tiny_world() {
  return SmallWorld({{"states", 3}, {"vocabulary", 4}, {"ambiguity", 1.0}});
}

/// P(states and tokens) of one block, by the definition of a chain.
double path_probability(const Chain& chain, std::size_t block, std::span<const std::size_t> path,
                        std::span<const Token> tokens) {
  const auto n = static_cast<std::size_t>(chain.states);
  const auto ordinary = static_cast<std::size_t>(chain.ordinary);
  double p = chain.blocks[block].probability;
  for (std::size_t t = 0; t < path.size(); ++t) {
    const std::size_t at = block * n + path[t];
    p *= t == 0 ? chain.start[at] : chain.transition[(block * n + path[t - 1]) * n + path[t]];
    if (tokens[t] == end_token)
      p *= path[t] + 1 == n ? 1 : 0;
    else
      p *= chain.emission[at * ordinary + static_cast<std::size_t>(tokens[t] - special_count)];
  }
  return p;
}

/// The posterior of the composite state at `at`, summing over every path through `tokens`.
std::vector<double> enumerated_belief(const Chain& chain, std::span<const Token> tokens,
                                      std::size_t at) {
  const auto n = static_cast<std::size_t>(chain.states);
  std::vector<double> posterior(static_cast<std::size_t>(chain.composite_states()));
  std::vector<std::size_t> path(tokens.size());
  for (std::size_t block = 0; block < chain.blocks.size(); ++block)
    for (bool more = true; more;) {
      posterior[block * n + path[at]] += path_probability(chain, block, path, tokens);
      more = false;
      for (std::size_t& step : path) {
        more = ++step < n;
        if (more) break;
        step = 0;
      }
    }
  const double sum = std::accumulate(posterior.begin(), posterior.end(), 0.0);
  for (double& p : posterior) p /= sum;
  return posterior;
}

TEST(Beliefs, AreThoseOfEnumeration) {
  const SmallWorld world = tiny_world();
  const Chain& chain = world.language.chain();
  const TokenItems emitted = draw_emitted(world.language, 60, 7, Rng(3));
  const Matrix past = beliefs(chain, emitted, Given::past);
  const Matrix all = beliefs(chain, emitted, Given::document);
  const Matrix alone = beliefs(chain, emitted, Given::token);
  ASSERT_EQ(past.rows(), 60);
  for (std::size_t i = 0; i < emitted.items.size(); ++i) {
    const TokenItems::Item& item = emitted.items[i];
    const auto tokens = std::span(emitted.documents[item.document]).subspan(1);
    const auto of_past = enumerated_belief(chain, tokens.first(item.position), item.position - 1);
    const auto of_all = enumerated_belief(chain, tokens, item.position - 1);
    double sum = 0;
    for (std::size_t z = 0; z < of_past.size(); ++z) {
      EXPECT_NEAR(past.values[i * of_past.size() + z], of_past[z], 1e-10);
      EXPECT_NEAR(all.values[i * of_past.size() + z], of_all[z], 1e-10);
      sum += alone.values[i * of_past.size() + z];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(NextLaws, AreRatiosOfTheProbabilitiesOfTexts) {
  const SmallWorld world = tiny_world();
  const Chain& chain = world.language.chain();
  const TokenItems emitted = draw_emitted(world.language, 40, 9, Rng(4));
  const Matrix laws = next_laws(chain, emitted);
  const auto log_of = [&](const std::vector<Token>& tokens) {
    return log_probability(chain, std::ssize(tokens), emission_likelihood(chain, tokens), true);
  };
  for (std::size_t i = 0; i < emitted.items.size(); ++i) {
    const TokenItems::Item& item = emitted.items[i];
    const std::vector<Token>& document = emitted.documents[item.document];
    std::vector<Token> tokens(document.begin() + 1,
                              document.begin() + static_cast<std::ptrdiff_t>(item.position) + 1);
    const double before = log_of(tokens);
    tokens.push_back(0);
    for (Token next = 0; next <= chain.ordinary; ++next) {
      tokens.back() = next == chain.ordinary ? end_token : special_count + next;
      const double law =
          laws.values[i * static_cast<std::size_t>(laws.width) + static_cast<std::size_t>(next)];
      EXPECT_NEAR(law, std::max(log_of(tokens) - before, std::log(1e-12)), 1e-9);
    }
  }
}

TEST(LastTokens, SayWhichTheyAreAndWhereThereIsNone) {
  const SmallWorld world;
  const std::int64_t ordinary = world.language.chain().ordinary;
  TokenItems emitted;
  emitted.documents = {{begin_token, special_count + 2, special_count + 1}};
  emitted.items = {{0, 2, 0}};
  const Matrix last = last_tokens(world.language.chain(), emitted, 3);
  EXPECT_EQ(last.width, 3 * (ordinary + 1));
  std::vector<double> expected(static_cast<std::size_t>(last.width));
  expected[1] = 1;
  expected[static_cast<std::size_t>(ordinary + 1 + 2)] = 1;
  expected[static_cast<std::size_t>(2 * (ordinary + 1) + ordinary)] = 1;  // the begin token's place
  EXPECT_EQ(last.values, expected);
}

TEST(Beliefs, HaveTheNextTokensWhereTextIsReadFromTheEnd) {
  const SmallWorld world;
  const TokenItems emitted{.documents = {{begin_token, 17, 18, 16, end_token}},
                           .items = {{.document = 0, .position = 2}},
                           .classes = 1};
  const std::int64_t ordinary = world.language.chain().ordinary;
  const Matrix read =
      last_tokens(world.language.chain(), emitted, 3, Reading(Attention::causal, true));
  std::vector<double> expected(static_cast<std::size_t>(read.width));
  expected[static_cast<std::size_t>(18 - special_count)] = 1;
  expected[static_cast<std::size_t>(ordinary + 1 + 16 - special_count)] = 1;
  expected[static_cast<std::size_t>(2 * (ordinary + 1) + ordinary)] = 1;  // the end token's place
  EXPECT_EQ(read.values, expected);
}

/// A network of two layers: nothing, and something that is computed from the tokens of a row.
class KnowsBeliefs final : public Oracle {
 public:
  /// `of`: a row for each token of a document.
  using Of = std::function<Matrix(const TokenItems& tokens)>;

  KnowsBeliefs(const SmallWorld& world, Of of)
      : Oracle(world.language.chain(), uniform_rule(world.vocabulary())), of_(std::move(of)) {}

  std::vector<at::Tensor> layers(const train::Inputs& inputs) override {
    const std::int64_t rows = inputs.tokens.size(1), time = inputs.tokens.size(2);
    std::vector<at::Tensor> made;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t* const first = inputs.tokens.data_ptr<std::int64_t>() + row * time;
      std::vector<Token> document(first, first + time);
      while (document.back() == pad_token || document.back() == end_token) document.pop_back();
      TokenItems items;
      for (std::size_t t = 1; t < document.size(); ++t) items.items.push_back({0, t, 0});
      items.documents = {std::move(document)};
      const Matrix matrix = of_(items);
      at::Tensor states = at::zeros({time, matrix.width});
      states.narrow(0, 1, matrix.rows())
          .copy_(at::tensor(matrix.values, at::kDouble).view({-1, matrix.width}));
      made.push_back(states);
    }
    const at::Tensor all = at::stack(made).unsqueeze(0);
    return {at::zeros_like(all), all};
  }

 private:
  Of of_;
};

std::map<std::string, double> belief_of(const SmallWorld& world, const char* objective,
                                        const KnowsBeliefs::Of& of) {
  KnowsBeliefs network(world, of);
  return measured(world, trial_of({{"type", objective}}), network, kBeliefProbe).metrics;
}

TEST(Belief, IsAllThereWhereALayerIsALinearMapOfIt) {
  const SmallWorld world({{"ambiguity", 1.0}, {"states", 5}});
  const auto m = belief_of(world, "causal_lm", [&](const TokenItems& items) {
    Matrix made = beliefs(world.language.chain(), items, Given::past);
    for (double& p : made.values) p = 3 * p - 1;
    return made;
  });
  EXPECT_NEAR(m.at("belief.r2"), 1, 1e-6);
  EXPECT_NEAR(m.at("belief.topic_r2"), 1, 1e-6);
  EXPECT_NEAR(m.at("belief.state_r2"), 1, 1e-6);
  EXPECT_NEAR(m.at("belief.mse"), 0, 1e-6);
  EXPECT_GT(m.at("belief.untrained_mse"), 0.1) << "of a network that knows the topic alone";
  EXPECT_GT(m.at("belief.kl"), 0);
  EXPECT_LT(m.at("belief.kl"), 0.3 * m.at("belief.untrained_kl"));
  EXPECT_NEAR(m.at("belief.r2_beyond"), m.at("belief.beyond_ceiling"), 1e-3);
  EXPECT_GT(m.at("belief.r2_beyond"), 0.5);
  EXPECT_EQ(m.at("belief.past_r2"), m.at("belief.r2"));
  EXPECT_GT(m.at("belief.four_tokens"), m.at("belief.token_alone"));
  EXPECT_GT(m.at("belief.next_law"), m.at("belief.token_alone"));
  EXPECT_LT(m.at("belief.next_law"), 0.99);
}

TEST(Belief, IsNotBeyondTheNextTokenWhereALayerIsItsLaw) {
  const SmallWorld world({{"ambiguity", 1.0}, {"states", 5}});
  const auto m = belief_of(world, "causal_lm", [&](const TokenItems& items) {
    return next_laws(world.language.chain(), items);
  });
  EXPECT_NEAR(m.at("belief.r2"), m.at("belief.next_law"), 1e-4);
  EXPECT_NEAR(m.at("belief.r2_beyond"), 0, 0.02);
}

TEST(Belief, OfAnArmThatSeesBothSidesIsMoreThanThePastTells) {
  const SmallWorld world({{"ambiguity", 1.0}, {"states", 5}});
  const auto of = [&](Given given) {
    return belief_of(world, "masked_lm", [&, given](const TokenItems& items) {
      return beliefs(world.language.chain(), items, given);
    });
  };
  const auto past = of(Given::past), all = of(Given::document);
  EXPECT_NEAR(past.at("belief.past_r2"), 1, 1e-6);
  EXPECT_NEAR(past.at("belief.r2"), past.at("belief.past_alone"), 1e-6);
  EXPECT_LT(past.at("belief.r2"), 0.99);
  EXPECT_GT(all.at("belief.r2"), past.at("belief.r2"));
  EXPECT_LT(all.at("belief.past_r2"), 0.99);
  EXPECT_FALSE(all.contains("belief.r2_beyond"));
}

/// A network of two layers: nothing, and the exact beliefs given what follows, of rows that were read from the end.
class KnowsWhatFollows final : public Oracle {
 public:
  explicit KnowsWhatFollows(const SmallWorld& world)
      : Oracle(world.language.chain(), uniform_rule(world.vocabulary())),
        chain_(world.language.chain()) {}

  std::vector<at::Tensor> layers(const train::Inputs& inputs) override {
    const std::int64_t rows = inputs.tokens.size(1), time = inputs.tokens.size(2);
    const at::Tensor all = at::zeros({1, rows, time, chain_.composite_states()});
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t* const first = inputs.tokens.data_ptr<std::int64_t>() + row * time;
      std::vector<Token> document(first, first + time);
      while (document.back() == pad_token) document.pop_back();
      std::ranges::reverse(document);
      TokenItems items;
      for (std::size_t t = 1; t < document.size(); ++t)
        if (document[t] != end_token) items.items.push_back({0, t, 0});
      items.documents = {document};
      const Matrix known = beliefs(chain_, items, Given::future);
      const at::Tensor of_items = at::tensor(known.values, at::kDouble).view({-1, known.width});
      for (std::int64_t i = 0; i < known.rows(); ++i) {
        const auto token =
            static_cast<std::int64_t>(items.items[static_cast<std::size_t>(i)].position);
        all[0][row][std::ssize(document) - 1 - token].copy_(of_items[i]);
      }
    }
    return {at::zeros_like(all), all};
  }

 private:
  const Chain& chain_;
};

TEST(Belief, OfAnArmThatReadsFromTheEndIsReadWhereEachTokenStands) {
  const SmallWorld world({{"ambiguity", 1.0}, {"states", 5}});
  KnowsWhatFollows network(world);
  const auto m =
      measured(world, trial_of({{"type", "right_to_left_lm"}}), network, kBeliefProbe).metrics;
  EXPECT_NEAR(m.at("belief.r2"), 1, 1e-6);
  EXPECT_LT(m.at("belief.past_r2"), 0.99);
  EXPECT_FALSE(m.contains("belief.r2_beyond"));
}

TEST(Belief, OfALayerThatSaysNothingIsNone) {
  const SmallWorld world;
  const auto m = belief_of(world, "causal_lm", [&](const TokenItems& items) {
    return Matrix{1, std::vector<double>(items.items.size(), 1)};
  });
  EXPECT_NEAR(m.at("belief.r2"), 0, 0.01);
  EXPECT_NEAR(m.at("belief.r2_beyond"), 0, 0.01);
}

TEST(Belief, HasErrorsByDocumentAndACurveOverLayers) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m = measured(world, trial_of({{"type", "causal_lm"}}), network, kBeliefProbe);
  EXPECT_GT(m.details.at("items").at("belief.mse").size(), 10u);
  const Json& curve = m.details.at("curves").at(0);
  EXPECT_EQ(curve.at("points").at(curve.at("chosen").get<std::size_t>()).at(1),
            m.metrics.at("belief.r2"));
  EXPECT_EQ(m.details.at("trained").at("by_layer").size(), 2u);
  EXPECT_GT(m.metrics.at("belief.topic_r2"), 0.5) << "the oracle's layer is its logarithm";
}

}  // namespace
}  // namespace ablate::probes
