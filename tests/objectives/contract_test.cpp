// The contract between objectives and the harness. Every registered objective is tested here.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/data/language/language.h"
#include "models/specs/head_specs.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

constexpr std::int64_t kTextLength = 64;
constexpr Token kOrdinary = 64;

class EveryObjective : public testing::TestWithParam<std::string> {
 protected:
  Objective with_defaults() const {
    return objective_of(spec.name, Json::object(), kOrdinary, kTextLength);
  }

  const ObjectiveSpec& spec = spec_of(GetParam());
  const Objective objective = with_defaults();
  const Vocabulary vocabulary{
      .ordinary = kOrdinary,
      .sentinels = std::max<Token>(8, static_cast<Token>(objective.needs.sentinels))};
  const std::vector<Token> tokens = text_of(kTextLength, kOrdinary);
  const Text text{.tokens = tokens};
};

TEST_P(EveryObjective, GivesOneWeightPerTarget) {
  for (const Example& example : objective.transform(text, Rng(1))) {
    EXPECT_EQ(example.targets.empty(), !spec.predicts_tokens());
    ASSERT_EQ(example.weights.size(), example.targets.size());
    for (const float weight : example.weights) EXPECT_TRUE(weight >= 0 && std::isfinite(weight));
    if (objective.needs.alignment == Alignment::in_place && spec.predicts_tokens()) {
      EXPECT_EQ(example.inputs.size(), example.targets.size());
    }
    if (!example.positions.empty()) {
      EXPECT_EQ(example.positions.size(), objective.needs.alignment == Alignment::in_place
                                              ? example.inputs.size()
                                              : example.inputs.size() + example.targets.size());
    }
  }
}

TEST_P(EveryObjective, StaysWithinTheVocabulary) {
  for (const Example& example : objective.transform(text, Rng(2)))
    for (const auto* side : {&example.inputs, &example.targets})
      for (const Token token : *side) EXPECT_TRUE(token >= 0 && token < vocabulary.size()) << token;
}

TEST_P(EveryObjective, DependsOnTextAndRandomNumbersAlone) {
  const auto first = objective.transform(text, Rng(7));
  objective.transform(text, Rng(8));  // must not change later results
  const auto again = with_defaults().transform(text, Rng(7));
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].inputs, again[i].inputs);
    EXPECT_EQ(first[i].targets, again[i].targets);
    EXPECT_EQ(first[i].weights, again[i].weights);
    EXPECT_EQ(first[i].positions, again[i].positions);
    EXPECT_EQ(first[i].hidden.size(), again[i].hidden.size());
  }
}

TEST_P(EveryObjective, ReportsWhatItHidInOrderAndNoSpecialToken) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const Example& example : objective.transform(text, Rng(seed))) {
      std::int32_t last = -1;
      for (const Hidden& hidden : example.hidden) {
        ASSERT_GT(hidden.position, last);
        ASSERT_LT(hidden.position, kTextLength);
        ASSERT_FALSE(text.is_special(static_cast<std::size_t>(hidden.position)));
        last = hidden.position;
      }
    }
}

TEST_P(EveryObjective, TakesTextsOfSpecialTokensAloneAndOfOneToken) {
  const std::vector<Token> edges = {end_token, begin_token}, one = {special_count};
  for (const auto& given : {edges, one})
    for (const Example& example : objective.transform({.tokens = given}, Rng(1)))
      EXPECT_EQ(example.weights.size(), example.targets.size());
}

// What is read first of a document is predicted from nothing: the begin token or, from the end, the end token.
TEST_P(EveryObjective, NeverScoresPadsAndWhatDocumentsAreReadFrom) {
  const Token read_first = objective.needs.reversed ? end_token : begin_token;
  for (const Example& example : objective.transform(text, Rng(3)))
    for (std::size_t i = 0; i < example.targets.size(); ++i)
      if (example.targets[i] == read_first || example.targets[i] == pad_token) {
        EXPECT_EQ(example.weights[i], 0) << i;
      }
}

TEST_P(EveryObjective, SaysBeforeItIsBuiltWhetherItReadsFromTheEnd) {
  EXPECT_EQ(spec.reversed, objective.needs.reversed);
}

TEST_P(EveryObjective, HasDefaultsWithinItsRanges) {
  EXPECT_NO_THROW(Params(spec.params, Json::object()));
  for (const Param& param : spec.params) {
    EXPECT_FALSE(param.description.empty()) << param.name;
    if (param.kind != Kind::number && param.kind != Kind::integer) continue;
    EXPECT_LT(param.minimum, param.maximum) << param.name;
    if (param.default_value.is_null()) continue;
    EXPECT_LE(param.minimum, param.default_value.get<double>()) << param.name;
    EXPECT_LE(param.default_value.get<double>(), param.maximum) << param.name;
  }
}

TEST_P(EveryObjective, SaysWhetherAHeadTakesTargets) {
  Needs needs = objective.needs;
  needs.heads = known_heads(needs.heads, models::head_specs());
  EXPECT_EQ(needs.target_part().has_value(), spec.predicts_tokens());
}

TEST_P(EveryObjective, SaysWhetherItPredictsInPlace) {
  EXPECT_EQ(predicts_in_place(spec, Params(spec.params, Json::object())),
            objective.needs.alignment == Alignment::in_place);
}

TEST_P(EveryObjective, SaysWhatItIsAndWhereItIsFrom) {
  EXPECT_FALSE(spec.summary.empty());
  EXPECT_FALSE(spec.source.empty());
  const std::string_view predicted = spec.predicts_tokens() ? "targets " : "label ";
  for (const std::string_view line :
       {std::string_view("text "), std::string_view("inputs "), predicted})
    EXPECT_NE(spec.picture.find(line), std::string_view::npos) << line;
  EXPECT_GE(spec.version, 1);
}

TEST_P(EveryObjective, HasYardsticksThatItCanBuild) {
  for (const CommonSetting& common_setting :
       common_settings_of(spec, Params(spec.params, Json::object()))) {
    EXPECT_FALSE(common_setting.name.empty());
    EXPECT_NO_THROW(objective_of(spec.name, common_setting.params, kOrdinary, kTextLength));
  }
}

TEST_P(EveryObjective, StatesItsOptimumWhereItSaysThatOneIsKnown) {
  const Params settings(spec.params, Json::object());
  ASSERT_NE(spec.optimum_kind, nullptr);
  EXPECT_EQ(spec.optimum_kind(settings) != OptimumKind::none,
            static_cast<bool>(objective.optimum) || static_cast<bool>(objective.step_optimum));
  EXPECT_EQ(static_cast<bool>(objective.step_optimum),
            static_cast<bool>(objective.step_context_free));
  if (!objective.optimum) return;

  const Params dials(data::language_params(), {{"tokens", 1000}, {"held_out_tokens", 10000}});
  const data::Language language(dials);
  const auto held_out = data::draw_corpus(language, dials).held_out;
  const std::vector<double> distribution = unigram(language.chain());
  Loss optimum, floor;
  double scored = 0;
  for (std::size_t first = 0; first + kTextLength <= held_out.tokens.size(); first += kTextLength) {
    const Text drawn{.tokens = std::span(held_out.tokens).subspan(first, kTextLength),
                     .marks = std::span(held_out.marks).subspan(first, kTextLength)};
    for (const Example& example :
         objective.transform(drawn, Rng(4, Stream::corruption, 0, first))) {
      optimum += objective.optimum(language.chain(), drawn, example);
      if (objective.context_free) floor += objective.context_free(distribution, drawn, example);
      // A loss denominator above the scored weight makes the loss a mean over all tokens.
      if (example.loss_denominator)
        scored += *example.loss_denominator;
      else
        for (const float weight : example.weights) scored += weight;
      for (const Label& label : example.labels) scored += spec.predicts_tokens() ? 0 : label.weight;
    }
  }
  EXPECT_NEAR(optimum.weight, scored, 1e-6);
  EXPECT_GT(optimum.mean().value(), 0);
  if (objective.context_free) {
    EXPECT_LT(optimum.mean().value(), floor.mean().value());
  }
}

std::vector<std::string> every_name() {
  std::vector<std::string> names;
  for (const ObjectiveSpec& spec : objective_specs()) names.emplace_back(spec.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryObjective, testing::ValuesIn(every_name()),
                         [](const auto& test) { return test.param; });

TEST(Registry, IsInAlphabeticalOrder) {
  const auto names = every_name();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace ablate::objectives
