// How settings choose samplers, and what they are told where the choice is wrong.

#include "harness/probes/generation/samplers/chosen.h"

#include <gtest/gtest.h>

#include "harness/probes/generation/samplers/registry.h"

namespace ablate::probes {
namespace {

Params settings(const Json& given) { return Params(sampler_params(), given); }

std::vector<std::string_view> names(const Json& given, Generation generation) {
  std::vector<std::string_view> list;
  for (const SamplerSpec* spec : chosen_samplers(settings(given), generation))
    list.push_back(spec->name);
  return list;
}

TEST(ChosenSamplers, AreThoseThatFitTheArmInTheirOrder) {
  const Json given = {{"samplers", {"greedy", "random_order", "ancestral"}}};
  EXPECT_EQ(names(given, Generation::ancestral),
            (std::vector<std::string_view>{"greedy", "ancestral"}));
  EXPECT_EQ(names(given, Generation::unmasking), (std::vector<std::string_view>{"random_order"}));
  EXPECT_TRUE(names(Json::object(), Generation::ancestral).empty());
}

TEST(ChosenSamplers, LeaveNothingInSettingsThatNameNone) {
  EXPECT_EQ(settings(Json::object()).json(), Json::object())
      << "or the ids of all measurements would change";
}

TEST(ChosenSamplers, HaveTheirSectionOrTheirDefaults) {
  const SamplerSpec& beam = sampler_named("beam");
  EXPECT_EQ(options_of(settings(Json::object()), beam).integer("width"), 4);
  const Params wide = settings({{"samplers", {"beam"}}, {"beam", {{"width", 9}}}});
  EXPECT_EQ(options_of(wide, beam).integer("width"), 9);
  EXPECT_EQ(options_of(wide, beam).number("length_penalty"), 0);
  EXPECT_TRUE(options_of(wide, sampler_named("greedy")).json().empty());
}

TEST(ChosenSamplers, AreRefusedWithWhatToDo) {
  const auto refusal = [](const Json& given, Generation generation) {
    return samplers_refusal(settings(given), generation);
  };
  EXPECT_EQ(refusal(Json::object(), Generation::ancestral), "");
  EXPECT_EQ(refusal({{"samplers", {"greedy"}}}, Generation::ancestral), "");
  EXPECT_EQ(refusal({{"samplers", {"greedy"}}}, Generation::none), "");
  EXPECT_EQ(refusal({{"samplers", {"greedy", "beam"}}}, Generation::unmasking),
            "none of its samplers draws from an arm that fills masks; add one of confidence_order, "
            "gibbs, left_to_right, mask_predict, random_order, remasking, semi_autoregressive");
  EXPECT_EQ(
      refusal({{"samplers", {"gibbs"}}}, Generation::ancestral),
      "none of its samplers draws from an arm that writes left to right; add one of ancestral, "
      "beam, greedy");
  EXPECT_EQ(refusal({{"samplers", {"greedy", "greedy"}}}, Generation::ancestral),
            "samplers names 'greedy' 2 times; name it once");
  EXPECT_EQ(refusal({{"samplers", {"greedy"}}, {"beam", {{"width", 2}}}}, Generation::ancestral),
            "'beam' is set, and samplers does not name it; add \"beam\" there");
}

TEST(ChosenSamplers, ThatDoNotExistAreNamedWithTheClosest) {
  try {
    settings({{"samplers", {"gredy"}}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'greedy'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ablate::probes
