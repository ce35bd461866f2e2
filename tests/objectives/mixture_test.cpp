#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/contract/realised.h"
#include "tests/harness/contract/tiny_chain.h"
#include "tests/objectives/example_of.h"

namespace ablate::objectives {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kLength = 64;
const Json kMaskedNext = {{"type", "masked_lm"}, {"readout", "next"}};

Objective mixture(const Json& given, Token ordinary = 100, std::int64_t length = kLength) {
  return objective_of("mixture", given, ordinary, length);
}

std::string refusal_of(const Json& given) {
  try {
    mixture(given);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void expect_same(const Example& one, const Example& other) {
  EXPECT_EQ(one.inputs, other.inputs);
  EXPECT_EQ(one.targets, other.targets);
  EXPECT_EQ(one.weights, other.weights);
  EXPECT_EQ(one.shown, other.shown);
  EXPECT_EQ(one.positions, other.positions);
  EXPECT_EQ(one.loss_denominator, other.loss_denominator);
  ASSERT_EQ(one.sees.size(), other.sees.size());
  for (std::size_t i = 0; i < one.sees.size(); ++i) {
    EXPECT_EQ(one.sees[i].from, other.sees[i].from);
    EXPECT_EQ(one.sees[i].until, other.sees[i].until);
  }
  ASSERT_EQ(one.hidden.size(), other.hidden.size());
  for (std::size_t i = 0; i < one.hidden.size(); ++i) {
    EXPECT_EQ(one.hidden[i].position, other.hidden[i].position);
    EXPECT_EQ(one.hidden[i].how, other.hidden[i].how);
  }
}

/// The objectives that can be members, as sections.
std::vector<Json> possible_members() {
  std::vector<Json> members = {kMaskedNext};
  for (const ObjectiveSpec& spec : objective_specs()) {
    const Params params(spec.params, Json::object());
    const bool further = spec.further_heads && !spec.further_heads(params).empty();
    if (spec.name != "mixture" && spec.predicts_tokens() && !further && !spec.reversed)
      members.push_back({{"type", spec.name}});
  }
  return members;
}

Objective alone(Json member) {
  const auto type = member.at("type").get<std::string>();
  member.erase("type");
  return objective_of(type, member, 100, kLength);
}

TEST(Mixture, RefusesTextsThatAreReadFromTheirEnds) {
  const Json member = {{"type", "right_to_left_lm"}};
  EXPECT_THAT(
      [&] {
        mixture({{"members", {member}}});
      },
      testing::ThrowsMessage<std::invalid_argument>(
          testing::HasSubstr("the texts of right_to_left_lm are read from their ends")));
}

TEST(Mixture, OfOneMemberIsTheMember) {
  ASSERT_GE(possible_members().size(), 8u);
  const std::vector<Token> tokens = text_of(kLength);
  const std::vector<double> unigram(101, 1.0 / 101);
  for (const Json& member : possible_members()) {
    SCOPED_TRACE(member.dump());
    const Objective mixed = mixture({{"members", {member}}}), own = alone(member);
    EXPECT_EQ(mixed.needs.attention, own.needs.attention);
    EXPECT_EQ(mixed.needs.attention_least, own.needs.attention_least);
    EXPECT_EQ(mixed.needs.alignment, own.needs.alignment);
    EXPECT_EQ(mixed.needs.unit, own.needs.unit);
    EXPECT_EQ(mixed.needs.reads, own.needs.reads);
    EXPECT_EQ(mixed.needs.sentinels, own.needs.sentinels);
    EXPECT_EQ(mixed.needs.reading().attention, own.needs.reading().attention);
    const Lengths lengths = lengths_of(mixed, 40), own_lengths = lengths_of(own, 40);
    EXPECT_EQ(lengths.inputs, own_lengths.inputs);
    EXPECT_EQ(lengths.targets, own_lengths.targets);
    EXPECT_EQ(lengths.both, own_lengths.both);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Text text{.tokens = tokens, .own = Rng(seed + 50), .progress = 0.5};
      const auto made = mixed.transform(text, Rng(seed)), expected = own.transform(text, Rng(seed));
      ASSERT_EQ(made.size(), expected.size());
      for (std::size_t i = 0; i < made.size(); ++i) {
        expect_same(made[i], expected[i]);
        EXPECT_EQ(mixed.context_free(unigram, text, made[i]).total,
                  own.context_free(unigram, text, expected[i]).total);
      }
    }
  }
}

TEST(Mixture, MakesOfEachTextWhatItsMemberWouldMakeAlone) {
  const std::vector<Json> members = {{{"type", "causal_lm"}}, kMaskedNext, {{"type", "prefix_lm"}}};
  const Objective mixed = mixture({{"members", members}});
  const std::vector<Token> tokens = text_of(kLength);
  std::map<int, int> drawn;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Text text{.tokens = tokens};
    const Example made = mixed.transform(text, Rng(seed)).front();
    ++drawn[made.member];
    expect_same(
        made,
        alone(members[static_cast<std::size_t>(made.member)]).transform(text, Rng(seed)).front());
  }
  EXPECT_EQ(drawn.size(), 3u);
}

TEST(Mixture, AMemberThatPredictsNoTokensKeepsAHeadOfItsOwn) {
  const Json pairs = {{"type", "contrastive"}, {"segment", 4}, {"weight", 0.1}};
  for (const Json& tokens : {Json{{"type", "causal_lm"}}, kMaskedNext, Json{{"type", "masked_lm"}},
                             Json{{"type", "prefix_lm"}}}) {
    SCOPED_TRACE(tokens.dump());
    // The order of the members does not matter: tokens are predicted by the first head.
    const Objective mixed = mixture({{"members", {pairs, tokens}}});
    ASSERT_EQ(mixed.needs.heads.size(), 2u);
    EXPECT_EQ(mixed.needs.heads[0].kind, "token");
    EXPECT_EQ(mixed.needs.heads[1].kind, "contrastive");
    EXPECT_EQ(mixed.needs.heads[1].coefficient, 0.1);
    EXPECT_EQ(mixed.needs.alignment, alone(tokens).needs.alignment);
    EXPECT_EQ(mixed.needs.attention_least, Attention::bidirectional)
        << "on a causal stack its places would see less, and silently";
    const std::vector<Token> text = text_of(19);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Example made = mixed.transform({.tokens = text}, Rng(seed)).front();
      const Json& member = made.member == 0 ? pairs : tokens;
      const Example own = alone(member).transform({.tokens = text}, Rng(seed)).front();
      expect_same(made, own);
      ASSERT_EQ(made.labels.size(), own.labels.size());
      for (std::size_t i = 0; i < own.labels.size(); ++i) {
        EXPECT_EQ(made.labels[i].head, 1);
        EXPECT_EQ(made.labels[i].partner, own.labels[i].partner);
        ++compared;
      }
    }
    EXPECT_GT(compared, 5);
  }
}

TEST(Mixture, ScoresTheFirstHeadOnTheMembersThatPredictTokens) {
  const Json members = {{{"type", "contrastive"}, {"segment", 2}}, {{"type", "causal_lm"}}};
  const Objective mixed = mixture({{"members", members}}, 3, 8);
  const Chain chain = tiny_chain(1);
  const std::vector<double> unigram = {0.6, 0.1, 0.1, 0.2};
  std::set<int> seen;
  for (const std::vector<Token>& window : tiny_windows())
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Text text{.tokens = window};
      const Example made = mixed.transform(text, Rng(seed)).front();
      seen.insert(made.member);
      const bool tokens = made.member == 1;
      EXPECT_EQ(mixed.optimum(chain, text, made).weight > 0,
                tokens && !made.weights.empty() &&
                    std::ranges::any_of(made.weights, [](float weight) { return weight > 0; }));
      if (!tokens) {
        EXPECT_EQ(mixed.context_free(unigram, text, made).weight, 0);
      }
    }
  EXPECT_EQ(seen.size(), 2u);
  const ObjectiveSpec& spec = spec_of("mixture");
  const Params params(spec.params, {{"members", members}});
  EXPECT_EQ(spec.optimum_kind(params), OptimumKind::exact);
  ASSERT_EQ(spec.common_settings(params).size(), 1u) << "a yardstick is of tokens";
  EXPECT_EQ(spec.common_settings(params)[0].name, "causal_lm");
  ASSERT_EQ(spec.further_heads(params).size(), 1u);
  EXPECT_EQ(spec.further_heads(params)[0].kind, "contrastive");
}

TEST(Mixture, HasTheOptimumOfAFurtherHeadFromItsMember) {
  const Json detection = {{"type", "replaced_token_detection"}, {"rate", 0.4}};
  const Objective mixed =
      mixture({{"members",
                {{{"type", "contrastive"}, {"segment", 2}}, {{"type", "masked_lm"}}, detection}}},
              3, 8);
  ASSERT_EQ(mixed.needs.heads.size(), 3u);
  EXPECT_EQ(mixed.needs.heads[2].kind, "detection");
  const Objective own = objective_of("replaced_token_detection", {{"rate", 0.4}}, 3, 8);
  const Chain chain = tiny_chain(1);
  int detected = 0;
  for (const std::vector<Token>& window : tiny_windows())
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
      const Text text{.tokens = window};
      const Example made = mixed.transform(text, Rng(seed)).front();
      const std::vector<Loss> optima = mixed.label_optima(chain, text, made);
      if (made.member != 2) {
        EXPECT_TRUE(optima.empty());
        continue;
      }
      ++detected;
      ASSERT_EQ(optima.size(), 2u);
      EXPECT_EQ(optima[0].weight, 0) << "nothing is known of pairs without their step";
      const Example alone = own.transform(text, Rng(seed)).front();
      EXPECT_EQ(optima[1].total, own.optimum(chain, text, alone).total);
    }
  EXPECT_GT(detected, 5);
}

TEST(Mixture, RefusesMembersThatNoHeadServes) {
  EXPECT_THAT(refusal_of({{"members", {{{"type", "contrastive"}}}}}),
              HasSubstr("none of its members predicts tokens"));
  EXPECT_THAT(refusal_of({{"members", {{{"type", "causal_lm"}}, {{"type", "contrastive"}}}},
                          {"asked_as", "contrastive"}}),
              HasSubstr("asked_as is \"contrastive\", which predicts no tokens"));
  EXPECT_THAT(refusal_of({{"members",
                           {{{"type", "masked_lm"}},
                            {{"type", "replaced_token_detection"}, {"generator", "learned"}}}}}),
              HasSubstr("has several heads"));
  EXPECT_THAT(
      refusal_of({{"members", {{{"type", "causal_lm"}}, {{"type", "replaced_token_detection"}}}}}),
      HasSubstr("each token at its own place"));
}

TEST(Mixture, DrawsMembersByTheirSharesAtEachMoment) {
  const Objective mixed = mixture({{"members", {{{"type", "causal_lm"}}, kMaskedNext, kMaskedNext}},
                                   {"shares", {1, 3, 0}},
                                   {"final_shares", {3, 0, 1}}});
  const std::vector<Token> tokens = text_of(kLength);
  constexpr int kTexts = 4000;
  for (const double progress : {0.0, 0.5, 1.0}) {
    std::map<int, double> drawn;
    for (std::uint64_t seed = 0; seed < kTexts; ++seed)
      drawn[mixed.transform({.tokens = tokens, .progress = progress}, Rng(seed)).front().member] +=
          1.0 / kTexts;
    const double expected[] = {.25 + .5 * progress, .75 * (1 - progress), .25 * progress};
    for (int member = 0; member < 3; ++member) {
      EXPECT_NEAR(drawn[member], expected[member], 5 * std::sqrt(.25 / kTexts)) << progress;
      if (expected[member] == 0) {
        EXPECT_EQ(drawn.count(member) == 0 || drawn[member] == 0, true) << progress;
      }
    }
  }
}

TEST(Mixture, DrawsMembersByTheKindOfTheText) {
  const Json members = {{{"type", "causal_lm"}}, kMaskedNext};
  const Objective mixed =
      mixture({{"members", members}, {"shares_by_corpus", {{1, 0}, {0, 2}, {1, 1}}}});
  const std::vector<Token> tokens = text_of(kLength);
  std::map<std::int64_t, double> masked;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    for (const std::int64_t corpus : {0, 1, 2})
      masked[corpus] +=
          mixed.transform({.tokens = tokens, .corpus = corpus}, Rng(seed)).front().member / 1000.0;
  EXPECT_EQ(masked[0], 0);
  EXPECT_NEAR(masked[1], 1, 1e-12);
  EXPECT_NEAR(masked[2], .5, 5 * std::sqrt(.25 / 1000));
  EXPECT_THROW(mixed.transform({.tokens = tokens, .corpus = 3}, Rng(1)), std::invalid_argument);
  EXPECT_THAT(refusal_of({{"shares_by_corpus", Json::parse("[[1, 0]]")}, {"shares", {1, 1}}}),
              HasSubstr("shares_by_corpus and shares are both set"));
  EXPECT_THAT(refusal_of({{"shares_by_corpus", Json::parse("[[1]]")}}),
              HasSubstr("an entry of shares_by_corpus has 1 entries for 2 members"));
}

TEST(Mixture, RealisesWhatItIntends) {
  const Objective mixed =
      mixture({{"members", {{{"type", "causal_lm"}}, kMaskedNext}}, {"shares", {1, 3}}});
  const std::vector<Token> tokens = text_of(kLength);
  const Text text{.tokens = tokens};
  Realised realised;
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    realised.add(text, mixed.transform(text, Rng(seed)).front());
  EXPECT_EQ(deviation(mixed.intended, realised), "");
  std::map<std::string, double> intended;
  for (const Intended& one : mixed.intended) intended[std::string(one.name)] = one.value;
  EXPECT_EQ(intended, (std::map<std::string, double>{{"share_causal_lm", .25},
                                                     {"share_masked_lm", .75},
                                                     {"corruption_masked_lm", .15},
                                                     {"prediction_masked_lm", .15}}));
  // One that does otherwise is found.
  const Objective other =
      mixture({{"members", {{{"type", "causal_lm"}}, kMaskedNext}}, {"shares", {2, 3}}});
  EXPECT_THAT(deviation(other.intended, realised), HasSubstr("share_causal_lm"));
}

TEST(Mixture, RealisesWhatMembersOfUnlikeFormatsIntend) {
  Json exact = kMaskedNext;
  exact["count"] = "exact";
  const Objective mixed = mixture(
      {{"members", {{{"type", "span_corruption"}}, exact, {{"type", "mixture_of_denoisers"}}}}});
  Realised realised;
  std::vector<Token> tokens;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    tokens = {begin_token};  // documents of many lengths
    for (std::uint64_t i = 0; i < 12 + seed % 48; ++i)
      tokens.push_back(special_count + static_cast<Token>((seed + i) % 100));
    tokens.push_back(end_token);
    const Text text{.tokens = tokens};
    realised.add(text, mixed.transform(text, Rng(seed)).front());
  }
  EXPECT_EQ(deviation(mixed.intended, realised), "");
  const Ratio* const masked = realised.find("corruption_masked_lm");
  ASSERT_NE(masked, nullptr);
  EXPECT_NEAR(masked->value(), 0.15, 0.01);
}

TEST(Mixture, IsAskedAsItsLargestMemberOrAsItIsTold) {
  const ObjectiveSpec& spec = spec_of("mixture");
  const auto params = [&](Json given) {
    given["members"] = {{{"type", "causal_lm"}}, kMaskedNext};
    return Params(spec.params, given);
  };
  const Json cases[] = {Json::object(),
                        {{"shares", {1, 3}}},
                        {{"shares", {1, 3}}, {"asked_as", "causal_lm"}},
                        {{"asked_as", "masked_lm"}}};
  const bool masked[] = {false, true, false, true};
  const std::vector<Token> left = {begin_token, 20, 21}, target = {22, 23}, right = {24, end_token};
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const Params asked = params(cases[i]);
    EXPECT_EQ(generation_of(spec, asked),
              masked[i] ? Generation::unmasking : Generation::ancestral);
    EXPECT_EQ(cloze_format_of(spec, asked),
              masked[i] ? ClozeFormat::told_length : ClozeFormat::left);
    EXPECT_FALSE(predicts_in_place(spec, asked));
    const Objective objective = mixture(asked.json());
    EXPECT_EQ(objective.needs.reading().attention,
              masked[i] ? Attention::bidirectional : Attention::causal);
    EXPECT_EQ(static_cast<bool>(objective.cloze_hidden), masked[i]);
    EXPECT_EQ(objective.cloze({left, target, right}).size(), masked[i] ? 2u : 1u);
  }
  EXPECT_THAT(refusal_of({{"asked_as", "maskd_lm"}}),
              HasSubstr("no member is named 'maskd_lm'; did you mean 'masked_lm'?"));
}

TEST(Mixture, NamesTheSecondOfATypeApart) {
  const ObjectiveSpec& spec = spec_of("mixture");
  Json other = kMaskedNext;
  other["rate"] = 0.3;
  const Params params(spec.params, {{"members", {kMaskedNext, other}}});
  std::vector<std::string> names;
  for (const CommonSetting& setting : common_settings_of(spec, params))
    names.push_back(setting.name);
  EXPECT_EQ(names, (std::vector<std::string>{"masked_lm", "masked_lm_2"}));
  EXPECT_EQ(common_settings_of(spec, params)[1].params["members"][0]["rate"], 0.3);
}

TEST(Mixture, ReadsHeldOutTextAsEachMemberDoes) {
  const ObjectiveSpec& spec = spec_of("mixture");
  const Json masked_inputs = {{"type", "causal_lm"}, {"input_mask", 0.3}};
  const Params trained(spec.params, {{"members", {masked_inputs, kMaskedNext}}});
  const Json read = held_out_params(spec, trained).json();
  EXPECT_FALSE(read["members"][0].contains("input_mask"));
  EXPECT_EQ(read["members"][1], trained.json()["members"][1]);
}

TEST(Mixture, KnowsHowItsOptimumIsKnown) {
  const ObjectiveSpec& spec = spec_of("mixture");
  const auto kind = [&](const Json& members) {
    return spec.optimum_kind(Params(spec.params, {{"members", members}}));
  };
  const Json causal = {{"type", "causal_lm"}}, spans = {{"type", "span_corruption"}};
  Json exact_count = kMaskedNext;
  exact_count["count"] = "exact";
  EXPECT_EQ(kind({causal, kMaskedNext}), OptimumKind::exact);
  EXPECT_EQ(kind({causal, spans}), OptimumKind::lower);
  EXPECT_EQ(kind({causal, exact_count}), OptimumKind::upper);
  EXPECT_EQ(kind({spans, exact_count}), OptimumKind::none);
}

TEST(Mixture, HasTheOptimumOfTheMemberThatMadeTheExample) {
  const std::vector<Json> members = {{{"type", "causal_lm"}}, kMaskedNext, {{"type", "prefix_lm"}}};
  const Objective mixed = mixture({{"members", members}}, 3);
  const Chain chain = tiny_chain(3);
  const std::vector<Token> tokens = {begin_token, 16, 18, 17, 16, 18, 16, end_token};
  const Text text{.tokens = tokens};
  std::map<int, int> drawn;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Example example = mixed.transform(text, Rng(seed)).front();
    ++drawn[example.member];
    Json own = members[static_cast<std::size_t>(example.member)];
    const auto type = own.at("type").get<std::string>();
    own.erase("type");
    const Objective maker = objective_of(type, own, 3, kLength);
    EXPECT_EQ(mixed.optimum(chain, text, example).total, maker.optimum(chain, text, example).total);
  }
  EXPECT_EQ(drawn.size(), 3u);
}

TEST(Mixture, RefusesWhatCannotShareAModel) {
  EXPECT_THAT(
      refusal_of({{"members", {{{"type", "causal_lm"}}, {{"type", "masked_lm"}}}}}),
      HasSubstr("masked_lm predicts each token at its own place, and causal_lm at the place "
                "before it"));
  EXPECT_THAT(refusal_of({{"members", {{{"type", "multi_token_prediction"}}}}}),
              HasSubstr("multi_token_prediction has several heads"));
  EXPECT_THAT(refusal_of({{"members", {{{"type", "mixture"}}}}}),
              HasSubstr("a member is a mixture itself"));
  EXPECT_THAT(refusal_of({{"members", Json::array()}}), HasSubstr("it has no members"));
  EXPECT_THAT(refusal_of({{"shares", {1}}}), HasSubstr("shares has 1 entries for 2 members"));
  EXPECT_THAT(refusal_of({{"final_shares", {0, 0}}}), HasSubstr("final_shares sums to 0"));
  EXPECT_THAT(refusal_of({{"members", {{{"type", "causal_ml"}}}}}),
              HasSubstr("no objective is named 'causal_ml'; did you mean 'causal_lm'?"));
  EXPECT_THAT(refusal_of({{"members", {{{"rate", 0.2}}}}}), HasSubstr("'type' is missing"));
  EXPECT_THAT(refusal_of({{"members", {{{"type", "masked_lm"}, {"rat", 0.2}}}}}),
              HasSubstr("no parameter is named 'rat'; did you mean 'rate'?"));
}

}  // namespace
}  // namespace ablate::objectives
