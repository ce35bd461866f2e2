// How text is drawn from every arm: by the objective's own scheme, through its format, or not at all.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/probes/generation/drawing/scheme_spec.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Offer kOneStack{};
const Offer kTwoStacks{.in_place = false, .encoder = true};

DrawingScheme scheme(const char* name, const Offer& offer, const Json& given = Json::object()) {
  const ObjectiveSpec& spec = objective_named(name);
  return drawing_scheme(spec, Params(spec.params, given), offer);
}

TEST(DrawingScheme, IsTheObjectivesOwnWhereTheBackboneHostsIt) {
  for (const char* name :
       {"causal_lm", "prefix_lm", "fill_in_the_middle", "multi_token_prediction"})
    EXPECT_EQ(scheme(name, kOneStack), DrawingScheme::left_to_right) << name;
  for (const char* name : {"masked_lm", "masked_diffusion"})
    EXPECT_EQ(scheme(name, kOneStack), DrawingScheme::unmasking) << name;
}

TEST(DrawingScheme, IsThroughTheFormatOfOneThatHasNone) {
  for (const Offer& offer : {kOneStack, kTwoStacks})
    for (const char* name : {"span_corruption", "mixture_of_denoisers", "denoising"})
      EXPECT_EQ(scheme(name, offer), DrawingScheme::through_format) << name;
  EXPECT_EQ(scheme("prefix_lm", kTwoStacks), DrawingScheme::through_format);
}

TEST(DrawingScheme, IsNoneWhereTheFormatIsToldTheLengthOrThereIsNoFormat) {
  EXPECT_EQ(scheme("masked_lm", kTwoStacks), DrawingScheme::none);
  EXPECT_EQ(scheme("denoising", kOneStack, {{"infill_rate", 0}, {"mask_rate", 0.3}}),
            DrawingScheme::none);
  EXPECT_EQ(scheme("denoising", kOneStack, {{"infill_rate", 0}}), DrawingScheme::none);
}

TEST(DrawingScheme, SaysWhatReadersMustKnowOfTheTexts) {
  const auto caveats = [](const char* name, const Offer& offer) {
    const ObjectiveSpec& spec = objective_named(name);
    const Params params(spec.params, Json::object());
    std::vector<Metric> metrics = {{.name = "a", .better = Better::higher},
                                   {.name = "b", .better = Better::neither, .caveat = "other"},
                                   {.name = "c", .better = Better::lower, .caveat = "other"}};
    note_scheme(metrics, {spec, params, offer});
    EXPECT_EQ(metrics[1].caveat, "other") << "what has no direction is compared with nothing";
    EXPECT_EQ(metrics[2].caveat,
              metrics[0].caveat.empty() ? "other" : metrics[0].caveat + "; other");
    return metrics[0].caveat;
  };
  EXPECT_THAT(caveats("causal_lm", kOneStack), IsEmpty());
  EXPECT_THAT(caveats("masked_lm", kOneStack), HasSubstr("told the length"));
  EXPECT_THAT(caveats("span_corruption", kOneStack), HasSubstr("one blank at the end"));
  EXPECT_THAT(caveats("prefix_lm", kTwoStacks), HasSubstr("what follows the prompt"));
}

}  // namespace
}  // namespace ablate::probes
