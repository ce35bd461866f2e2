// Compares the transformer's formulas with the models that they describe.

#include "models/specs/transformer_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/specs/backbones.inc"
#include "models/specs/feed_forwards.inc"
#include "models/specs/layer_specs.h"
#include "models/specs/mixers.inc"
#include "models/specs/specs.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::kVocabulary;

TEST(TransformerSpec, CountsTheParametersOfTheBuiltModelUnderEveryOption) {
  for (const Json& model : testing::every_option(testing::tiny())) {
    const train::NetworkSettings settings = testing::settings(model, 2);
    const auto network = testing::bank(settings);
    std::int64_t total = 0, embeddings = 0;
    for (const train::Parameter& parameter : network->parameters()) {
      const std::int64_t count = parameter.value.numel() / 2;
      total += count;
      if (parameter.name == "tokens" || parameter.name == "positions" || parameter.name == "head")
        embeddings += count;
    }
    const ParameterCount count =
        transformer_spec().parameters(settings.model, {kVocabulary, {}, {}});
    EXPECT_EQ(count.total, total) << model;
    EXPECT_EQ(count.at_inference, total) << model;
    EXPECT_EQ(count.embeddings, embeddings) << model;
  }
}

TEST(TransformerSpec, CountsSixOperationsAWeightOfEachProductAndAttentionsOwn) {
  for (const Json& model : testing::every_option(testing::tiny())) {
    const train::NetworkSettings settings = testing::settings(model);
    const auto network = testing::bank(settings);
    double weights = 0;  // of the matrices of the blocks
    for (const train::Parameter& parameter : network->parameters())
      if (parameter.name.starts_with("block.") && parameter.value.dim() == 3)
        weights += static_cast<double>(parameter.value.numel());
    const double scores_and_sums = 2.0 * 2 * 12 * 8;  // depth, two products, context, width
    const FlopCount count = transformer_spec().flops(settings.model, {kVocabulary, {}, {}});
    EXPECT_EQ(count.trunk_per_token, 6 * (weights + scores_and_sums)) << model;
    EXPECT_EQ(count.head_per_target, 6.0 * 32 * 8) << model;
  }
}

TEST(TransformerSpec, GivesSwigluTheParametersOfGelu) {
  for (const int width : {64, 96, 128, 256, 512}) {
    Json model = {{"width", width}, {"activation", "gelu"}};
    const auto total = [&] {
      return static_cast<double>(
          transformer_spec()
              .parameters(Params(transformer_spec().params, model), {{4096, 0}, {}, {}})
              .total);
    };
    const double gelu = total();
    model["activation"] = "swiglu";
    EXPECT_NEAR(total() / gelu, 1, 0.01) << width;
  }
}

std::string refused(const Json& model) {
  return transformer_spec().refusal(Params(transformer_spec().params, model));
}

TEST(TransformerSpec, RefusesHeadsThatDoNotDivideTheWidth) {
  EXPECT_EQ(refused({{"width", 64}, {"heads", 5}}),
            "heads = 5 does not divide width = 64; choose a width that is a multiple of the heads");
}

TEST(TransformerSpec, RefusesOddHeadsUnderRotaryPositionsAlone) {
  EXPECT_THAT(refused({{"width", 12}, {"heads", 4}}),
              ::testing::HasSubstr("width / heads = 3 is odd"));
  EXPECT_EQ(refused({{"width", 12}, {"heads", 4}, {"positions", "learned"}}), "");
  EXPECT_EQ(refused(Json::object()), "");
}

TEST(BackboneSpecs, AreThoseOfTheOneListInAlphabeticalOrder) {
#define ABLATE_NAME(name, network) #name,
  const std::vector<std::string_view> listed = {ABLATE_BACKBONES(ABLATE_NAME)};
#undef ABLATE_NAME
  std::vector<std::string_view> names;
  for (const BackboneSpec& spec : backbone_specs()) names.push_back(spec.name);
  EXPECT_EQ(names, listed);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(BackboneSpecs, HaveABuilderEach) {
  for (const BackboneSpec& spec : backbone_specs())
    EXPECT_TRUE(network_builder(spec.name)) << spec.name;
}

TEST(BackboneSpecs, RefuseANameThatIsNotThereWithTheNearest) {
  EXPECT_THAT([] { network_builder("transfromer"); },
              ::testing::ThrowsMessage<std::invalid_argument>(
                  ::testing::HasSubstr("the closest is 'transformer'")));
}

TEST(LayerSpecs, AreThoseOfTheListsInAlphabeticalOrderWithTheirSources) {
#define ABLATE_NAME(name) #name,
  const std::vector<std::string_view> mixers = {ABLATE_MIXERS(ABLATE_NAME)},
                                      feed_forwards = {ABLATE_FEED_FORWARDS(ABLATE_NAME)};
#undef ABLATE_NAME
  const auto check = [](const auto& specs, const std::vector<std::string_view>& listed) {
    std::vector<std::string_view> names;
    for (const auto& spec : specs) {
      names.push_back(spec.name);
      EXPECT_FALSE(spec.summary.empty()) << spec.name;
      EXPECT_THAT(spec.source, ::testing::HasSubstr("section")) << spec.name;
    }
    EXPECT_EQ(names, listed);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  };
  check(mixer_specs(), mixers);
  check(feed_forward_specs(), feed_forwards);
}

}  // namespace
}  // namespace ablate::models
