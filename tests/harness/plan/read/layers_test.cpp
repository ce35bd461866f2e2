// The lists of layers of a model: what they refuse, and that one which says what its absence says makes
// the same trials.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/make_plan.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// An experiment of one arm whose model has these settings.
Json experiment_of_model(const Json& model, const char* objective = "causal_lm") {
  Json experiment = {
      {"name", "t"},
      {"corpus",
       {{"kind", "language"}, {"tokens", 4000}, {"held_out_tokens", 1000}, {"vocabulary", 16}}},
      {"model", {{"backbone", "transformer"}, {"depth", 2}, {"width", 16}, {"context", 16}}},
      {"train", {{"budget", {{"steps", 2}}}, {"batch", 4}}},
      {"arms", {{{"name", "x"}, {"set", {{"objective", {{"type", objective}}}}}}}},
      {"seeds", 1},
      {"probes", {"held_out"}}};
  experiment["model"].update(model);
  return experiment;
}

Plan plan_of_model(const Json& model, const char* objective = "causal_lm") {
  const testing_support::PlanFolder folder;
  const Json experiment = experiment_of_model(model, objective);
  return make_plan(catalog(), folder.write("experiment.json", experiment.dump()), {});
}

std::string refusal_of_model(const Json& model, const char* objective = "causal_lm") {
  try {
    plan_of_model(model, objective);
    return "";
  } catch (const ExperimentRefused& refused) {
    return refused.what();
  }
}

std::string id_of(const Json& model) { return plan_of_model(model).trials.at(0).id; }

TEST(Layers, ThatSayWhatTheDefaultsSayMakeTheSameTrials) {
  const Json none = Json::object();
  const std::string id = id_of(none);
  for (const Json& same :
       {Json{{"layers", {"attention"}}}, Json{{"layers", {"attention", "attention"}}},
        Json{{"feed_forwards", {"dense"}}},
        Json{{"feed_forwards", {"dense", "dense"}}, {"activation", "swiglu"}}})
    EXPECT_EQ(id_of(same), id) << same;
  EXPECT_EQ(id_of({{"feed_forwards", {"gated"}}}), id_of({{"activation", "swiglu"}}));
  const Json model = plan_of_model({{"layers", {"attention"}}}).trials.at(0).config.at("model");
  EXPECT_FALSE(model.contains("layers"));
  EXPECT_FALSE(model.contains("feed_forwards"));
}

TEST(Layers, ThatSayTheSameMakeTheSameTrials) {
  const Json twice = {{"depth", 4}, {"feed_forwards", {"gated", "none", "gated", "none"}}};
  const Json once = {{"depth", 4}, {"feed_forwards", {"gated", "none"}}};
  EXPECT_EQ(id_of(twice), id_of(once));
  const Json other = {{"depth", 4}, {"feed_forwards", {"none", "gated"}}};
  EXPECT_NE(id_of(other), id_of(once));
}

TEST(Layers, OfUnknownNamesAreRefusedWithTheClosest) {
  EXPECT_THAT(refusal_of_model({{"layers", {"atention"}}}),
              AllOf(HasSubstr("layers = \"atention\" is not known"),
                    HasSubstr("did you mean 'attention'?")));
  EXPECT_THAT(refusal_of_model({{"feed_forwards", {"gatet"}}}),
              AllOf(HasSubstr("did you mean 'gated'?"), HasSubstr("dense, experts, gated, none")));
}

TEST(Layers, ThatAreNoneOrMoreThanTheDepthAreRefused) {
  EXPECT_THAT(refusal_of_model({{"layers", Json::array()}}),
              HasSubstr("layers = [] names no layer; name at least one, or leave layers out"));
  EXPECT_THAT(refusal_of_model({{"feed_forwards", {"dense", "dense", "dense"}}}),
              HasSubstr("feed_forwards names the layers of 3 blocks, and the model has 2"));
}

TEST(Layers, OfAnEncoderDecoderAreAsManyAsTheDeeperStackHas) {
  const auto refusal = [](std::size_t layers) {
    return refusal_of_model({{"backbone", "encoder_decoder"},
                             {"encoder_depth", 3},
                             {"feed_forwards", std::vector<std::string>(layers, "none")}},
                            "span_corruption");
  };
  EXPECT_EQ(refusal(3), "");
  EXPECT_THAT(refusal(4), HasSubstr("the model has 3"));
}

TEST(Layers, OfARecurrenceHostWhatSeesThePastOrBothWays) {
  const Json linear = {{"layers", {"linear_attention"}}};
  EXPECT_EQ(refusal_of_model(linear), "");
  EXPECT_EQ(refusal_of_model(linear, "masked_lm"), "");
  EXPECT_THAT(refusal_of_model(linear, "prefix_lm"),
              AllOf(HasSubstr("backbone 'transformer' cannot host objective 'prefix_lm': "),
                    HasSubstr("leave linear_attention out of model.layers, or set model.backbone "
                              "to decoder")));
  for (const char* backbone : {"decoder", "encoder_decoder"}) {
    const Json model = {{"backbone", backbone}, {"layers", {"attention", "linear_attention"}}};
    EXPECT_EQ(refusal_of_model(model, "prefix_lm"), "") << backbone;
  }
  EXPECT_NE(id_of(linear), id_of(Json::object()));
}

TEST(Layers, OfMamba2HaveAStateOfTheSizeThatIsSet) {
  const Json mamba = {{"layers", {"mamba2"}}};
  const auto sized = [&](std::int64_t size) {
    Json model = mamba;
    model["state_size"] = size;
    return model;
  };
  EXPECT_EQ(refusal_of_model(mamba), "");
  EXPECT_EQ(id_of(sized(16)), id_of(mamba)) << "the default is absent";
  EXPECT_NE(id_of(sized(32)), id_of(mamba));
  EXPECT_THAT(refusal_of_model({{"state_size", 32}}),
              HasSubstr("no layer uses it; leave it out, or name mamba2"));
  EXPECT_THAT(refusal_of_model(sized(0)), HasSubstr("state_size"));
}

TEST(Layers, OfASlidingWindowReadAsFarAsIsSet) {
  const auto windowed = [](std::int64_t window) {
    return Json{{"layers", {"sliding_window", "attention"}}, {"window", window}};
  };
  EXPECT_EQ(refusal_of_model(windowed(8)), "");
  EXPECT_EQ(id_of(windowed(32)), id_of({{"layers", {"sliding_window", "attention"}}}));
  EXPECT_NE(id_of(windowed(8)), id_of(windowed(32)));
  EXPECT_THAT(refusal_of_model({{"window", 8}}),
              HasSubstr("no layer uses it; leave it out, or name sliding_window"));
}

TEST(Layers, OfAttentionNormQueriesAndKeysWhereThatIsSet) {
  const auto normed = [](const Json& layers, bool on) {
    return Json{{"layers", layers}, {"query_key_norm", on}};
  };
  EXPECT_EQ(refusal_of_model(normed({"mamba2", "attention"}, true)), "");
  EXPECT_EQ(id_of(normed({"mamba2", "attention"}, false)),
            id_of({{"layers", {"mamba2", "attention"}}}));
  EXPECT_NE(id_of(normed({"attention"}, true)), id_of(Json::object()));
  EXPECT_THAT(
      refusal_of_model(normed({"mamba2"}, true)),
      HasSubstr("query_key_norm is given, and no layer uses it; leave it out, or name attention"));
}

TEST(Layers, OfAttentionShareKeysAndValuesInGroups) {
  const auto shared = [](std::int64_t heads) { return Json{{"key_value_heads", heads}}; };
  EXPECT_EQ(refusal_of_model(shared(1)), "");
  EXPECT_EQ(id_of({{"heads", 2}, {"key_value_heads", 2}}), id_of({{"heads", 2}}));
  EXPECT_NE(id_of(shared(1)), id_of(Json::object()));
  EXPECT_THAT(refusal_of_model({{"heads", 4}, {"key_value_heads", 3}}),
              HasSubstr("key_value_heads = 3 does not divide heads = 4"));
  EXPECT_THAT(
      refusal_of_model({{"layers", {"mamba2"}}, {"key_value_heads", 1}}),
      HasSubstr("key_value_heads is given, and no layer uses it; leave it out, or name attention"));
}

TEST(Layers, HavePositionsOfSomeKindOrNone) {
  const auto based = [](const char* positions, double base) {
    return Json{{"positions", positions}, {"rotary_base", base}};
  };
  EXPECT_EQ(id_of(based("rotary", 10000)), id_of(Json::object()));
  EXPECT_NE(id_of(based("rotary", 500000)), id_of(Json::object()));
  EXPECT_THAT(refusal_of_model(based("none", 500000)),
              HasSubstr("rotary_base is given, and positions = \"none\"; leave it out"));
  Json mamba = based("rotary", 500000);
  mamba["layers"] = {"mamba2"};
  EXPECT_THAT(refusal_of_model(mamba), HasSubstr("rotary_base is given, and no layer uses it"));
  EXPECT_THAT(refusal_of_model({{"positions", "alibi"}, {"layers", {"sliding_window"}}}),
              HasSubstr("positions = \"alibi\", which sliding_window does not have"));
  EXPECT_THAT(refusal_of_model({{"positions", "alibi"}, {"layers", {"mamba2"}}}),
              HasSubstr("alibi\" works only with attention, and no layer is attention"));
  EXPECT_THAT(refusal_of_model({{"positions", "alibi"}, {"rotary_scale", 2}}),
              HasSubstr("rotary_scale is given, and positions = \"alibi\""));
  EXPECT_EQ(refusal_of_model({{"positions", "alibi"}}, "masked_lm"), "");
  const Json none = {{"positions", "none"}};
  EXPECT_EQ(refusal_of_model(none), "");
  for (const char* objective : {"masked_lm", "permutation_lm"})
    EXPECT_THAT(refusal_of_model(none, objective),
                HasSubstr("which attention cannot tell apart without positions"));
  EXPECT_EQ(
      refusal_of_model({{"positions", "none"}, {"layers", {"mamba2", "attention"}}}, "masked_lm"),
      "");
  const auto parameters = [](const char* positions) {
    return plan_of_model({{"positions", positions}}).ledger.at(0).at("parameters");
  };
  EXPECT_EQ(parameters("none"), parameters("rotary"));
  EXPECT_NE(parameters("none"), parameters("learned"));
}

TEST(Layers, OfRwkv7HaveHeadsThatCanBeNormed) {
  EXPECT_THAT(
      refusal_of_model(
          {{"width", 32}, {"heads", 32}, {"positions", "none"}, {"layers", {"rwkv7"}}}),
      HasSubstr("rwkv7 norms each head, which needs 2 units or more, and width / heads = 1"));
}

TEST(Layers, OfExpertsCountWhatReadsAPosition) {
  const auto row = [](const Json& model) { return plan_of_model(model).ledger.at(0); };
  const Json dense = row(Json::object()), sparse = row({{"feed_forwards", {"experts"}}});
  EXPECT_FALSE(dense.contains("active_parameters"));
  EXPECT_LT(sparse.at("active_parameters"), sparse.at("parameters_at_inference"));
  EXPECT_GE(sparse.at("active_parameters"), dense.at("parameters_at_inference"));
  EXPECT_EQ(id_of({{"feed_forwards", {"experts"}}}),
            id_of({{"feed_forwards", {"experts"}}, {"experts", 8}, {"shared_experts", 0}}));
  EXPECT_NE(id_of({{"feed_forwards", {"experts"}}}),
            id_of({{"feed_forwards", {"experts"}}, {"expert_balance", 0}}));
}

TEST(Layers, CanBeMatchedInWhatTheyKeepOfARow) {
  const auto refusal_of_pair = [](const Json& one, const Json& other) {
    const testing_support::PlanFolder folder;
    Json experiment = experiment_of_model(Json::object());
    experiment["match"] = {{"on", {"state"}}};
    experiment["arms"][0]["set"]["model"] = one;
    experiment["arms"].push_back(experiment["arms"][0]);
    experiment["arms"][1]["name"] = "y";
    experiment["arms"][1]["set"]["model"] = other;
    experiment["baseline"] = "x";
    experiment["analysis"] = {{"primary", "held_out.loss"}};
    try {
      make_plan(catalog(), folder.write("experiment.json", experiment.dump()), {});
    } catch (const ExperimentRefused& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  const auto windowed = [](std::int64_t window) {
    return Json{{"layers", {"sliding_window"}}, {"window", window}};
  };
  // 16 numbers for each of 32 units and 3 places of 64 channels: 704 a block, as 2 * 22 * 16.
  EXPECT_EQ(refusal_of_pair(windowed(23), {{"layers", {"mamba2"}}}), "");
  const std::string why = refusal_of_pair(windowed(9), windowed(5));
  EXPECT_THAT(why, HasSubstr("arms differ in state by 50 %"));
  EXPECT_THAT(why, HasSubstr("model.state_size, model.window"));
}

TEST(Layers, OfARecurrenceHaveTheParametersOfAttention) {
  const auto parameters = [](const Json& model) {
    return plan_of_model(model).ledger.at(0).at("parameters");
  };
  EXPECT_EQ(parameters({{"layers", {"linear_attention"}}}), parameters(Json::object()));
}

}  // namespace
}  // namespace ablate::plan
