// Properties of the hidden-state probe: its exact posteriors are those of enumeration, and it reads
// off what a layer knows.

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "harness/probes/hidden_state/emitted.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

const Json kStateProbe = {{"type", "hidden_state"},
                          {"training_tokens", 1500},
                          {"development_tokens", 500},
                          {"test_tokens", 3000}};

TokenItems drawn(const SmallWorld& world, std::int64_t count, std::uint64_t seed = 1) {
  return draw_emitted(world.language, count, 24, Rng(seed));
}

/// P(the states from the first token on, tokens) of one block, by the definition of a chain.
double joint(const Chain& chain, std::size_t block, std::span<const std::size_t> path,
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

/// The most probable state at `at`, summing over every path through `tokens`.
std::int32_t enumerated(const Chain& chain, std::span<const Token> tokens, std::size_t at) {
  const auto n = static_cast<std::size_t>(chain.states);
  std::vector<double> posterior(n);
  std::vector<std::size_t> path(tokens.size());
  for (std::size_t block = 0; block < chain.blocks.size(); ++block)
    for (bool more = true; more;) {
      posterior[path[at]] += joint(chain, block, path, tokens);
      more = false;
      for (std::size_t& step : path) {
        more = ++step < n;
        if (more) break;
        step = 0;
      }
    }
  return static_cast<std::int32_t>(std::max_element(posterior.begin(), posterior.end()) -
                                   posterior.begin());
}

TEST(ExactStates, AreThoseOfEnumeration) {
  const SmallWorld world({{"states", 3}, {"vocabulary", 4}, {"ambiguity", 1.0}});
  const Chain& chain = world.language.chain();
  const TokenItems emitted = draw_emitted(world.language, 60, 7, Rng(3));
  const std::vector<std::int32_t> past = exact_states(chain, emitted, Given::past);
  const std::vector<std::int32_t> all = exact_states(chain, emitted, Given::document);
  for (std::size_t i = 0; i < emitted.items.size(); ++i) {
    const TokenItems::Item& item = emitted.items[i];
    const auto tokens = std::span(emitted.documents[item.document]).subspan(1);
    EXPECT_EQ(past[i], enumerated(chain, tokens.first(item.position), item.position - 1)) << i;
    EXPECT_EQ(all[i], enumerated(chain, tokens, item.position - 1)) << i;
  }
}

TEST(DrawnTokens, AreAsManyAsAskedEachWithItsState) {
  const SmallWorld world;
  const TokenItems emitted = drawn(world, 500);
  EXPECT_EQ(emitted.items.size(), 500u);
  EXPECT_EQ(emitted.classes, world.language.chain().states - 1);
  const auto ordinary = static_cast<std::size_t>(world.language.chain().ordinary);
  for (const TokenItems::Item& item : emitted.items) {
    const std::vector<Token>& document = emitted.documents.at(item.document);
    ASSERT_LT(item.position, document.size());
    EXPECT_LE(document.size(), 24u);
    const Token token = document[item.position];
    ASSERT_NE(token, end_token);
    EXPECT_GT(world.language.chain().emission[static_cast<std::size_t>(item.label) * ordinary +
                                              static_cast<std::size_t>(token - special_count)],
              0);
  }
}

TEST(DrawnTokens, ThatOnlyOneStateEmitsAreNotAmbiguous) {
  const auto ambiguous = [](double ambiguity) {
    const SmallWorld world({{"ambiguity", ambiguity}, {"floor", 0.0}, {"sharpness", 1.0}});
    const std::vector<std::uint8_t> items =
        ambiguous_items(world.language.chain(), drawn(world, 400));
    return std::count(items.begin(), items.end(), 1);
  };
  EXPECT_EQ(ambiguous(0), 0);
  EXPECT_GT(ambiguous(1), 200);
}

TEST(HiddenState, CeilingsAreOrderedAndThoseOfTheArm) {
  const SmallWorld world({{"ambiguity", 1.0}, {"states", 5}});
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
    const auto m = measured(world, trial_of({{"type", objective}}), network, kStateProbe).metrics;
    for (const std::string of : {"", "_ambiguous"}) {
      const auto at = [&](const char* name) { return m.at(std::string("state.") + name + of); };
      EXPECT_GT(at("filtering"), at("token_alone")) << of;
      EXPECT_GT(at("smoothing"), at("filtering")) << of;
      EXPECT_EQ(at("bayes"), at(objective == std::string("causal_lm") ? "filtering" : "smoothing"));
    }
    EXPECT_LT(m.at("state.smoothing_ambiguous"), m.at("state.smoothing"));
  }
}

/// A network whose layer is the exact posterior of the state given the tokens so far.
class KnowsStates final : public Oracle {
 public:
  explicit KnowsStates(const SmallWorld& world)
      : Oracle(world.language.chain(), uniform_rule(world.vocabulary())),
        chain_(world.language.chain()) {}

  std::vector<at::Tensor> layers(const train::Inputs& inputs) override {
    const std::int64_t rows = inputs.tokens.size(1), time = inputs.tokens.size(2);
    const auto composite = static_cast<std::size_t>(chain_.composite_states());
    const at::Tensor states = at::zeros({1, rows, time, chain_.states});
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t* const first = inputs.tokens.data_ptr<std::int64_t>() + row * time;
      const std::vector<Token> tokens(first + 1, first + time);  // after the begin token
      const Evidence evidence = emission_likelihood(chain_, tokens);
      const std::vector<double> before = predicted(chain_, time - 1, evidence, true);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const auto t = static_cast<std::int64_t>(i / composite) + 1;
        const auto state = static_cast<std::int64_t>(i % composite) % chain_.states;
        states.data_ptr<float>()[(row * time + t) * chain_.states + state] +=
            static_cast<float>(before[i] * evidence[i]);
      }
    }
    return {states};
  }

 private:
  const Chain& chain_;
};

TEST(HiddenState, ReadsOffALayerThatKnowsTheStateAsMuchAsThePastTells) {
  const SmallWorld world({{"ambiguity", 1.0}, {"states", 5}});
  KnowsStates network(world);
  const auto m = measured(world, trial_of({{"type", "causal_lm"}}), network, kStateProbe).metrics;
  EXPECT_NEAR(m.at("state.accuracy"), m.at("state.filtering"), 0.02);
  EXPECT_NEAR(m.at("state.accuracy_ambiguous"), m.at("state.filtering_ambiguous"), 0.04);
}

// A layer that is the exact posterior of the topic knows little of the state of a token.
TEST(HiddenState, FindsNoMoreThanALayerKnows) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m = measured(world, trial_of({{"type", "causal_lm"}}), network, kStateProbe);
  EXPECT_LT(m.metrics.at("state.accuracy"), m.metrics.at("state.token_alone") - 0.1);
  EXPECT_EQ(m.details.at("trained").at("by_layer").size(), 2u);
  const Json& curve = m.details.at("curves").at(0);
  EXPECT_EQ(curve.at("metric"), "state.accuracy");
  EXPECT_EQ(curve.at("points").at(curve.at("chosen").get<std::size_t>()).at(1),
            m.metrics.at("state.accuracy"));
  const Json& by_document = m.details.at("items").at("state.accuracy");
  EXPECT_GT(by_document.size(), 10u);
  for (const Json& fraction : by_document) EXPECT_LE(fraction.get<double>(), 1.0);
}

TEST(HiddenState, HasTheSameTokensInAllArmsOfASeedAndOthersInOtherSeeds) {
  const SmallWorld world;
  const auto ceiling = [&](const char* objective, std::int64_t seed) {
    Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
    plan::Trial trial = trial_of({{"type", objective}});
    trial.seed = seed;
    return measured(world, trial, network, kStateProbe).metrics.at("state.smoothing");
  };
  EXPECT_EQ(ceiling("causal_lm", 1), ceiling("masked_lm", 1));
  EXPECT_NE(ceiling("causal_lm", 1), ceiling("causal_lm", 2));
}

}  // namespace
}  // namespace ablate::probes
