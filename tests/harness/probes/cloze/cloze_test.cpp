// Properties of the cloze probe: its scores are proper, and the exact predictor has the exact cost.

#include "harness/probes/cloze/costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "harness/base/shuffle.h"
#include "harness/probes/cloze/filling.h"
#include "harness/probes/cloze/questions.h"
#include "tests/harness/probes/cloze/asking.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

TEST(Cloze, AFurtherBlankIsMarkedAsTheObjectiveMarksBlanks) {
  const SmallWorld world;
  const Token target[] = {special_count + 3, special_count};
  const Token right[] = {special_count + 1, mask_token, mask_token, special_count};
  const auto asked = [&](const Json& objective) {
    Oracle network(arbitrary_rule(world.vocabulary()));
    Example example;
    with_subject(world, objective, network, [&](const Subject& subject) {
      example = subject.phase.objective.cloze({kLeft, target, right}).front();
    });
    return example;
  };
  const auto masks = [](const Example& example) {
    return std::ranges::count(example.inputs, Token{mask_token});
  };
  const Example spans = asked({{"type", "span_corruption"}});
  const auto sentinels = std::ranges::count_if(
      spans.inputs, [&](Token token) { return token >= world.vocabulary().end_ordinary(); });
  EXPECT_EQ(sentinels, 2);
  EXPECT_EQ(masks(spans), 0);
  EXPECT_EQ(masks(asked({{"type", "masked_lm"}})), 4) << "one for each token";
  EXPECT_EQ(masks(asked({{"type", "denoising"}})), 2) << "one for each blank";
  EXPECT_EQ(masks(asked({{"type", "fill_in_the_middle"}})), 0) << "the format has one blank";
}

TEST(Cloze, ShowsTheRightSideToThoseWhoseFormatSaysSo) {
  const SmallWorld world;
  const Token target[] = {special_count + 3, special_count};
  const Token other[] = {special_count + 2, special_count + 1, end_token};
  for (const Json& objective : with_format()) {
    const ObjectiveSpec& spec = objective_named(objective.at("type"));
    Json given = objective;
    given.erase("type");
    Oracle network(arbitrary_rule(world.vocabulary()));
    with_subject(world, objective, network, [&](const Subject& subject) {
      const std::vector<Cloze> questions = {{kLeft, target, kRight}, {kLeft, target, other}};
      const std::vector<double> costs = cloze_costs(subject, questions);
      EXPECT_EQ(costs[0] != costs[1], reads_right(spec.cloze_format(Params(spec.params, given))))
          << objective;
    });
  }
}

TEST(Cloze, HasTheExactCostUnderTheExactPredictor) {
  const SmallWorld world;
  const Chain& chain = world.language.chain();
  for (const Json& objective :
       {Json{{"type", "causal_lm"}}, Json{{"type", "multi_token_prediction"}, {"heads", 2}},
        Json{{"type", "prefix_lm"}}, Json{{"type", "fill_in_the_middle"}, {"rate", 0}},
        Json{{"type", "masked_diffusion"}}}) {
    const ObjectiveSpec& spec = objective_named(objective.at("type"));
    Json given = objective;
    given.erase("type");
    Oracle exact(chain, exact_rule(chain, spec, Params(spec.params, given)));
    const auto m = measured(world, trial_of(objective), exact, kClozeProbe).metrics;
    for (const std::string about : {"_continuation", "_infill", "_infill_from_left"}) {
      EXPECT_NEAR(m.at("cloze.loss" + about), m.at("cloze.optimum" + about), 1e-5)
          << objective << about;
      EXPECT_GT(m.at("cloze.context_free" + about), m.at("cloze.optimum" + about));
    }
    if (spec.name == "masked_diffusion")
      EXPECT_GT(m.at("cloze.gain_of_right"), 0.05);
    else
      EXPECT_EQ(m.at("cloze.gain_of_right"), 0) << objective;
  }
}

TEST(Cloze, OfMaskedTokensDoesNotDependOnWhereTheyAreReadOut) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("masked_lm");
  const auto costs = [&](const Json& given) {
    Oracle exact(world.language.chain(),
                 exact_rule(world.language.chain(), spec, Params(spec.params, given)));
    Json objective = given;
    objective["type"] = "masked_lm";
    return measured(world, trial_of(objective), exact, {{"type", "cloze"}}).metrics;
  };
  const auto in_place = costs(Json::object()), before = costs({{"readout", "next"}});
  EXPECT_GT(in_place.size(), 4u);
  for (const auto& [name, value] : in_place)
    if (!name.starts_with("cloze.untrained")) {
      EXPECT_NEAR(before.at(name), value, 1e-6) << name;
    }
}

TEST(Cloze, IsOfTheSameTokensInAllArmsOfASeed) {
  const SmallWorld world;
  const auto floor = [&](const char* objective, std::int64_t seed) {
    Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
    plan::Trial trial = trial_of({{"type", objective}});
    trial.seed = seed;
    const auto m = measured(world, trial, network, kClozeProbe).metrics;
    EXPECT_NEAR(m.at("cloze.loss_infill"), std::log(world.vocabulary().size()), 1e-5) << objective;
    return m.at("cloze.context_free_infill");
  };
  EXPECT_EQ(floor("causal_lm", 1), floor("masked_lm", 1));
  EXPECT_EQ(floor("causal_lm", 1), floor("span_corruption", 1));
  EXPECT_NE(floor("causal_lm", 1), floor("causal_lm", 2));
}

TEST(Cloze, SaysThatAnObjectiveHasNoFormat) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement m =
      measured(world, trial_of({{"type", "masked_lm"}, {"format", "pair"}}), network, kClozeProbe);
  EXPECT_TRUE(m.metrics.empty());
  EXPECT_THAT(m.details.at("absent").at("cloze").get<std::string>(),
              ::testing::HasSubstr("has no format"));
}

TEST(Blank, HasTheExactDistributionUnderTheExactPredictor) {
  const SmallWorld world;
  const Chain& chain = world.language.chain();
  for (const char* name : {"causal_lm", "prefix_lm", "masked_diffusion"}) {
    const ObjectiveSpec& spec = objective_named(name);
    const Params params(spec.params, Json::object());
    Oracle network(chain, exact_rule(chain, spec, params));
    with_subject(world, {{"type", name}}, network, [&](const Subject& subject) {
      for (const bool shown : {false, true}) {
        const Blank blank{kLeft, shown ? std::span(kRight) : std::span<const Token>(), 3};
        const std::vector<double> model = blank_distribution(subject, blank, {});
        const std::vector<double> exact =
            exact_first(chain, blank.left, blank.tokens, blank.right, spec.cloze_format(params));
        ASSERT_EQ(model.size(), exact.size() + 1);
        double rest = 1;
        for (std::size_t i = 0; i < exact.size(); ++i) {
          EXPECT_NEAR(model[i], exact[i], 1e-5) << name << shown << i;
          rest -= exact[i];
        }
        EXPECT_NEAR(model.back(), rest, 1e-5);
      }
    });
  }
}

TEST(Blank, IsFilledByTheMostProbableTokensOrByDraws) {
  const SmallWorld world;
  for (const Json& objective : with_format()) {
    Oracle network(arbitrary_rule(world.vocabulary()));
    with_subject(world, objective, network, [&](const Subject& subject) {
      const Blank blank{kLeft, kRight, 3};
      const std::vector<Token> greedy = filled(subject, blank, 0, Rng(1));
      EXPECT_EQ(greedy.size(), 3u) << "no special id has probability";
      EXPECT_EQ(greedy, filled(subject, blank, 0, Rng(2)));
      EXPECT_EQ(greedy, filled(subject, blank, 1e-6, Rng(2))) << "cold";
      std::vector<Token> so_far;
      for (const Token token : greedy) {
        const auto mass = blank_distribution(subject, blank, so_far);
        EXPECT_EQ(token - special_count, std::max_element(mass.begin(), mass.end()) - mass.begin());
        so_far.push_back(token);
      }
      std::set<std::vector<Token>> drawn;
      for (std::uint64_t seed = 0; seed < 20; ++seed)
        drawn.insert(filled(subject, blank, 1, Rng(seed)));
      EXPECT_GT(drawn.size(), 10u) << objective;
    });
  }
}

TEST(Blank, IsFilledTogetherWithOthersAsAlone) {
  const SmallWorld world;
  for (const Json& objective : with_format()) {
    Oracle network(arbitrary_rule(world.vocabulary()));
    with_subject(world, objective, network, [&](const Subject& subject) {
      std::vector<Blank> blanks;
      for (std::size_t tokens = 0; tokens < 4; ++tokens)
        for (std::size_t left = 1; left <= std::size(kLeft); ++left)
          blanks.push_back({std::span(kLeft).first(left), {}, tokens});
      const std::vector<std::vector<Token>> together = filled_together(subject, blanks);
      for (std::size_t i = 0; i < blanks.size(); ++i)
        EXPECT_EQ(together[i], filled(subject, blanks[i], 0, Rng(1))) << objective << i;
    });
  }
}

TEST(Questions, AreMadeOfTheWholeDocument) {
  const std::vector<Token> document = {begin_token, 20, 21, 22, 23, 24, 25, 26, end_token};
  for (const Question question :
       {Question::continuation, Question::infill, Question::infill_from_left}) {
    const Cloze cloze = cloze_of(question, document, 100);
    std::vector<Token> all;
    for (const auto part : {cloze.left, cloze.target, cloze.right})
      all.insert(all.end(), part.begin(), part.end());
    EXPECT_TRUE(std::equal(all.begin(), all.end(), document.begin()));
    EXPECT_EQ(cloze.target.size(), question == Question::continuation ? 4u : 2u);
    EXPECT_EQ(cloze.right.empty(), question != Question::infill);
    EXPECT_EQ(all.size() == document.size(), question == Question::infill);
  }
  EXPECT_EQ(cloze_of(Question::infill, document, 7).right.size(), 2u) << "cut to six of text";
  EXPECT_TRUE(cloze_fits(document, 7));
  for (const std::size_t longest : {0, 1, 6}) EXPECT_FALSE(cloze_fits(document, longest));
  EXPECT_FALSE(cloze_fits(std::vector<Token>{begin_token, 20, 21, 22, 13, 24, 25}, 100));
}

TEST(ExactFirst, IsUnknownWhereTheLanguageHasNoSuchText) {
  const SmallWorld world({{"floor", 0.0}, {"ambiguity", 0.0}, {"vocabulary", 16}});
  const Chain& chain = world.language.chain();
  std::size_t impossible = 0;
  for (const std::vector<Token>& text : all_texts(world.vocabulary(), 3)) {
    std::vector<Token> left = {begin_token};
    left.insert(left.end(), text.begin(), text.end());
    const bool possible =
        std::isfinite(log_probability(chain, 3, emission_likelihood(chain, text), true));
    impossible += possible ? 0 : 1;
    EXPECT_EQ(exact_first(chain, left, 1, {}, ClozeFormat::left).empty(), !possible);
  }
  EXPECT_GT(impossible, 0u);
}

TEST(ExactCost, SumsToOneOverAllTargetsOfALength) {
  const SmallWorld world({{"vocabulary", 4}, {"states", 3}});
  const Chain& chain = world.language.chain();
  const std::vector<std::vector<Token>> targets = all_texts(world.vocabulary(), 3);
  const auto sum = [&](std::span<const Token> right, ClozeFormat format) {
    double all = 0;
    for (const std::vector<Token>& target : targets)
      all += std::exp(-exact_cost(chain, {kLeft, target, right}, format));
    return all;
  };
  EXPECT_NEAR(sum(kRight, ClozeFormat::both_sides), 1, 1e-12);
  EXPECT_NEAR(sum(kRight, ClozeFormat::told_length), 1, 1e-12);
  EXPECT_NEAR(sum({}, ClozeFormat::told_length), 1, 1e-12);
  EXPECT_EQ(sum(kRight, ClozeFormat::left), sum({}, ClozeFormat::left));
  EXPECT_LT(sum({}, ClozeFormat::left), 1) << "the document may end before";
}

}  // namespace
}  // namespace ablate::probes
