// Properties of the specs of probes: names, directions and comparability that reports rely on.

#include "harness/probes/specs.h"
#include "harness/plan/resolve/resolve.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/contract/catalog.h"
#include "harness/probes/members.h"
#include "models/specs/head_specs.h"
#include "objectives/registry.h"
#include "tests/source_tree.h"

namespace ablate::probes {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const ProbeSpec& probe(std::string_view name) {
  return Catalog{.probes = probe_specs()}.probe(name);
}

const ObjectiveSpec& objective(std::string_view name) {
  return Catalog{.objectives = objectives::objective_specs()}.objective(name);
}

std::vector<std::string> names_of(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.emplace_back(metric.name);
  return names;
}

const Metric& metric_of(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& metric : metrics)
    if (metric.name == name) return metric;
  throw std::logic_error("no metric " + std::string(name));
}

Params resolved(const ProbeSpec& spec, const Json& given = Json::object()) {
  return Params(spec.params, given);
}

const Offer kOffer;

std::vector<Metric> metrics_of(const ProbeSpec& spec, const ObjectiveSpec& arm, bool language) {
  const Params params(arm.params, Json::object());
  return spec.metrics(Params(spec.params, Json::object()),
                      {arm, params, kOffer, models::head_specs(), language});
}

std::string refusal_of(const ProbeSpec& spec, const Params& settings, const ObjectiveSpec& arm,
                       bool language) {
  const Params params(arm.params, Json::object());
  return spec.refusal == nullptr
             ? ""
             : spec.refusal(settings, {arm, params, kOffer, models::head_specs(), language});
}

TEST(ProbeSpecs, StandInAlphabeticalOrderAndSayWhatTheyAre) {
  std::string last;
  for (const ProbeSpec& spec : probe_specs()) {
    EXPECT_LT(last, spec.name);
    EXPECT_FALSE(spec.summary.empty()) << spec.name;
    last = spec.name;
  }
}

TEST(ProbeSpecs, SayHowLongTheyTakeInTokens) {
  for (const ObjectiveSpec& arm : objectives::objective_specs()) {
    const Params of_arm(arm.params, Json::object());
    const auto tokens = [&](const ProbeSpec& spec, const ProbedArm& probed) {
      return spec.tokens == nullptr ? -1.0 : spec.tokens(resolved(spec), probed);
    };
    for (const ProbeSpec& spec : probe_specs()) {
      const ProbedArm shorter{arm, of_arm, kOffer, models::head_specs(), true, 64},
          longer{arm, of_arm, kOffer, models::head_specs(), true, 128};
      const double few = tokens(spec, shorter), many = tokens(spec, longer);
      EXPECT_GE(few, 0) << spec.name << " of " << arm.name;
      EXPECT_LE(few, many) << spec.name << " of " << arm.name << " by the context";
      EXPECT_LT(many, 1e8) << spec.name << " of " << arm.name;
    }
  }
}

TEST(ProbeSpecs, AreTimedByABenchmark) {
  const std::string timed = source_tree::read("tests/bench/probe_bench.cpp");
  for (const ProbeSpec& spec : probe_specs())
    EXPECT_THAT(timed, HasSubstr(fmt::format("{{{{\"type\", \"{}\"}}", spec.name)));
}

TEST(ProbeSpecs, GrowWithWhatTheyAreAskedFor) {
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params of_arm(arm.params, Json::object());
  const auto tokens = [&](const char* name, const Json& settings) {
    const ProbeSpec& spec = probe(name);
    return spec.tokens(resolved(spec, settings),
                       {arm, of_arm, kOffer, models::head_specs(), false, 64});
  };
  EXPECT_EQ(tokens("generation", {{"samples", 128}}), 2 * tokens("generation", {{"samples", 64}}));
  EXPECT_EQ(tokens("fine_tuning", {{"seeds", 6}}), 2 * tokens("fine_tuning", {{"seeds", 3}}));
  EXPECT_GT(tokens("generation", {{"temperatures", {0.5, 2}}}),
            2 * tokens("generation", Json::object()));
}

TEST(ProbeSpecs, ReadATextOnceWhereItsFormatGoesOnAndForEachTokenWhereEachHasAMask) {
  const auto growth = [&](const char* name, const char* type, const Json& settings) {
    const ObjectiveSpec& arm = objective(type);
    const Params of_arm(arm.params, Json::object());
    const auto tokens = [&](std::int64_t context) {
      const ProbeSpec& spec = probe(name);
      return spec.tokens(resolved(spec, settings),
                         {arm, of_arm, kOffer, models::head_specs(), false, context});
    };
    return tokens(128) / tokens(64);
  };
  EXPECT_EQ(growth("infilling", "fill_in_the_middle", {{"path", "f"}}), 2);
  EXPECT_EQ(growth("infilling", "masked_lm", {{"path", "f"}}), 4);
  EXPECT_LT(growth("prompts", "causal_lm", {{"texts", {"a ___"}}}), 2)
      << "and its tokens by themselves";
  EXPECT_EQ(growth("prompts", "masked_lm", {{"texts", {"a ___"}}}), 2);
}

TEST(ProbeSpecs, NameEveryMetricOnceWithAUnitAndAMeaning) {
  for (const bool language : {true, false})
    for (const ObjectiveSpec& arm : objectives::objective_specs()) {
      std::set<std::string> seen;
      for (const ProbeSpec& spec : probe_specs())
        for (const Metric& metric : metrics_of(spec, arm, language)) {
          EXPECT_TRUE(seen.insert(metric.name).second) << metric.name;
          EXPECT_FALSE(metric.unit.empty()) << metric.name;
          EXPECT_GE(metric.description.size(), 10u) << metric.name;
        }
    }
}

/// Keys are for programs: "held_out.loss_at_15".
bool reads_like_a_key(const std::string& label) {
  return label.find('_') != label.npos || label.find(".l") != label.npos ||
         label.find("  ") != label.npos || label.ends_with('.') || label.ends_with(' ') ||
         label.ends_with(',');
}

TEST(ProbeSpecs, LabelEveryMetricInWords) {
  constexpr std::size_t kLongest = 64;
  for (const bool language : {true, false})
    for (const ObjectiveSpec& arm : objectives::objective_specs()) {
      std::map<std::string, std::string> named;  // by label
      for (const ProbeSpec& spec : probe_specs())
        for (const Metric& metric : metrics_of(spec, arm, language)) {
          EXPECT_FALSE(metric.label.empty()) << metric.name;
          EXPECT_LE(metric.label.size(), kLongest) << metric.name << ": " << metric.label;
          EXPECT_FALSE(reads_like_a_key(metric.label)) << metric.name << ": " << metric.label;
          EXPECT_TRUE(metric.better == Better::neither ||
                      metric.label.find(',') == std::string::npos)
              << "sentences go on with the names of arms: " << metric.label;
          const auto [other, is_new] = named.try_emplace(metric.label, metric.name);
          EXPECT_TRUE(is_new) << metric.name << " and " << other->second << ": " << metric.label;
        }
    }
}

TEST(ProbeSpecs, LabelMetricsByTheNameThatTheExperimentGivesAProbe) {
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params params(arm.params, Json::object());
  const ProbedArm probed{arm, params, kOffer, models::head_specs(), false};
  for (const ProbeSpec& spec : probe_specs()) {
    if (std::ranges::find(spec.params, "name", &Param::name) == spec.params.end()) continue;
    const Params settings(spec.params, {{"name", "two_words"}});
    for (const Metric& metric : spec.metrics(settings, probed)) {
      EXPECT_THAT(metric.name, StartsWith("two_words."));
      EXPECT_THAT(metric.label, HasSubstr("two words")) << metric.name;
      EXPECT_FALSE(reads_like_a_key(metric.label)) << metric.name << ": " << metric.label;
    }
  }
}

TEST(ProbeSpecs, ResolveTheirDefaults) {
  for (const ProbeSpec& spec : probe_specs()) EXPECT_NO_THROW(resolved(spec)) << spec.name;
}

TEST(ProbeParams, LeaveOutWhatThePlanAdds) {
  const Json settings = {{"id", "0123"}, {"type", "held_out"}, {"texts", 7}};
  EXPECT_EQ(plan::probe_params(probe("held_out"), settings).json(), Json({{"texts", 7}}));
}

TEST(HeldOutSpec, ComparesALossWithinItsSettingAndAnExcessAcrossAllArms) {
  const auto metrics = metrics_of(probe("held_out"), objective("masked_lm"), true);
  EXPECT_EQ(metric_of(metrics, "held_out.loss").comparable_across, Comparable::same_objective);
  EXPECT_EQ(metric_of(metrics, "held_out.loss_at_15").comparable_across, Comparable::same_family);
  EXPECT_EQ(metric_of(metrics, "held_out.excess").comparable_across, Comparable::all_arms);
  EXPECT_EQ(metric_of(metrics, "held_out.excess").better, Better::lower);
}

TEST(HeldOutSpec, SaysOfAnOptimumThatIsABoundThatItIs) {
  const auto exact = metrics_of(probe("held_out"), objective("causal_lm"), true);
  for (const Metric& metric : exact) EXPECT_EQ(metric.caveat, "") << metric.name;
  const auto bound = metrics_of(probe("held_out"), objective("prefix_lm"), true);
  for (const char* name : {"held_out.optimum", "held_out.excess", "held_out.share_learned"})
    EXPECT_THAT(metric_of(bound, name).caveat, HasSubstr("lower bound")) << name;
  for (const char* name : {"held_out.loss", "held_out.context_free", "held_out.excess_error"})
    EXPECT_EQ(metric_of(bound, name).caveat, "") << name;
  const auto middle = metrics_of(probe("held_out"), objective("fill_in_the_middle"), true);
  EXPECT_NE(metric_of(middle, "held_out.excess").caveat, "");
  EXPECT_EQ(metric_of(middle, "held_out.excess_left_to_right").caveat, "") << "exact at rate 0";
}

TEST(HeldOutSpec, StatesAnOptimumOnTheLanguageAlone) {
  const auto on_text = names_of(metrics_of(probe("held_out"), objective("causal_lm"), false));
  EXPECT_THAT(on_text, Not(Contains(HasSubstr("optimum"))));
  EXPECT_THAT(on_text, Not(Contains(HasSubstr("excess"))));
  EXPECT_THAT(on_text, Contains("held_out.context_free"));
}

TEST(HeldOutSpec, StatesBitsPerByteWhereTheLossIsTheLikelihoodOfText) {
  const ProbeSpec& spec = probe("held_out");
  EXPECT_THAT(names_of(metrics_of(spec, objective("causal_lm"), false)),
              Contains("held_out.bits_per_byte"));
  EXPECT_THAT(names_of(metrics_of(spec, objective("masked_lm"), false)),
              Not(Contains("held_out.bits_per_byte")));
  EXPECT_THAT(names_of(metrics_of(spec, objective("causal_lm"), true)),
              Not(Contains("held_out.bits_per_byte")));
}

TEST(GenerationSpec, StatesADivergenceWhereTheSamplersOwnProbabilityIsExact) {
  const ProbeSpec& spec = probe("generation");
  EXPECT_THAT(names_of(metrics_of(spec, objective("causal_lm"), true)),
              Contains("generation.divergence"));
  EXPECT_THAT(names_of(metrics_of(spec, objective("masked_lm"), true)),
              Not(Contains("generation.divergence")));
}

TEST(GenerationSpec, NamesTheMetricsOfEverySamplerThatTheArmCanBeDrawnBy) {
  const ProbeSpec& spec = probe("generation");
  const Json given = {{"samplers", {"ancestral", "greedy", "random_order", "gibbs"}},
                      {"temperatures", {0.7}}};
  const auto metrics_for = [&](const char* name) {
    const ObjectiveSpec& arm = objective(name);
    const Params params(arm.params, Json::object());
    return spec.metrics(resolved(spec, given), {arm, params, kOffer, models::head_specs(), true});
  };
  const auto causal = metrics_for("causal_lm"), masked = metrics_for("masked_diffusion");
  EXPECT_THAT(names_of(causal), Contains("generation.divergence_greedy"));
  EXPECT_THAT(names_of(causal), Contains("generation.log_probability_matched_ancestral"));
  EXPECT_THAT(names_of(causal), Not(Contains("generation.log_probability_matched_greedy")));
  EXPECT_THAT(names_of(causal), Not(Contains(HasSubstr("random_order"))));
  EXPECT_THAT(names_of(causal), Not(Contains(StartsWith("generation.reference_"))));
  EXPECT_EQ(metric_of(causal, "generation.log_probability_greedy").better, Better::neither)
      << "a text that is looked for is more probable than text, and not better";
  EXPECT_THAT(names_of(masked), Contains("generation.log_probability_matched"));
  EXPECT_THAT(names_of(masked), Not(Contains(HasSubstr("greedy"))));
  EXPECT_THAT(metric_of(masked, "generation.log_probability_gibbs").caveat, HasSubstr("Goyal"));
  EXPECT_THAT(metric_of(masked, "generation.log_probability_gibbs").caveat, HasSubstr("told"));
}

TEST(GenerationSpec, HasTheSettingsOfStoredMeasurementsWhereNoSamplersAreNamed) {
  EXPECT_EQ(resolved(probe("generation")).json(), Json({{"samples", 64},
                                                        {"length", 0},
                                                        {"temperature", 1.0},
                                                        {"prompt", 0},
                                                        {"steps", 32},
                                                        {"distinct_tokens", 0}}))
      << "measurements are identified by them";
}

TEST(GenerationSpec, RefusesSamplersThatTheArmCannotBeDrawnBy) {
  const ProbeSpec& spec = probe("generation");
  EXPECT_THAT(
      refusal_of(spec, resolved(spec, {{"samplers", {"beam"}}}), objective("masked_lm"), true),
      HasSubstr("add one of confidence_order"));
  EXPECT_THAT(
      refusal_of(spec, resolved(spec, {{"infill", Json::object()}}), objective("masked_lm"), true),
      HasSubstr("'infill' is set without samplers"));
  EXPECT_EQ(refusal_of(spec, resolved(spec), objective("masked_lm"), true), "");
}

TEST(GenerationSpec, MeasuresNothingOfAnArmThatCannotGenerate) {
  ObjectiveSpec mute = objective("causal_lm");
  mute.generation = nullptr;
  mute.cloze_format = nullptr;
  const ObjectiveSpec& masked = objective("masked_lm");
  const Params none(mute.params, Json::object()), masks(masked.params, Json::object());
  const Offer encoder{.encoder = true};
  for (const char* name : {"generation", "text_quality"}) {
    const ProbeSpec& spec = probe(name);
    EXPECT_THAT(spec.metrics(resolved(spec), {mute, none, kOffer, models::head_specs(), true}),
                IsEmpty())
        << name;
    EXPECT_THAT(spec.metrics(resolved(spec), {masked, masks, encoder, models::head_specs(), true}),
                IsEmpty())
        << name << ": its format is told the length";
  }
}

TEST(GenerationSpec, MeasuresArmsThatDrawThroughTheirFormatAsThoseThatWriteLeftToRight) {
  const ProbeSpec& spec = probe("generation");
  const auto metrics = metrics_of(spec, objective("span_corruption"), true);
  EXPECT_THAT(metric_of(metrics, "generation.divergence").caveat,
              HasSubstr("one blank at the end"));
  EXPECT_EQ(metric_of(metrics, "generation.untrained").better, Better::neither);
  EXPECT_EQ(names_of(metrics), names_of(metrics_of(spec, objective("causal_lm"), true)));
  const Params beam = resolved(spec, {{"samplers", {"beam"}}}),
               gibbs = resolved(spec, {{"samplers", {"gibbs"}}});
  EXPECT_EQ(refusal_of(spec, beam, objective("span_corruption"), true), "");
  EXPECT_THAT(refusal_of(spec, gibbs, objective("span_corruption"), true),
              HasSubstr("writes left to right"));
  EXPECT_THAT(metric_of(metrics_of(probe("text_quality"), objective("denoising"), false),
                        "quality.judge_loss_matched")
                  .caveat,
              HasSubstr("one blank at the end"));
}

TEST(GenerationSpec, HasTheVarietyOfHeldOutTextBesideThatOfSamples) {
  const auto names = names_of(metrics_of(probe("generation"), objective("masked_lm"), false));
  for (const char* name : {"distinct_1", "distinct_2", "distinct_3", "repetition"}) {
    EXPECT_THAT(names, Contains(fmt::format("generation.{}", name)));
    EXPECT_THAT(names, Contains(fmt::format("generation.{}_held_out", name)));
  }
}

TEST(TextQualitySpec, SaysSoWhereTextsAreFewForMauve) {
  const ProbeSpec& spec = probe("text_quality");
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params params(arm.params, Json::object());
  const auto with = [&](std::int64_t samples) {
    return spec.metrics(resolved(spec, {{"samples", samples}}),
                        {arm, params, kOffer, models::head_specs(), false});
  };
  EXPECT_THAT(metric_of(with(400), "quality.mauve").caveat, HasSubstr("400 texts a side"));
  EXPECT_THAT(metric_of(with(400), "quality.frontier").caveat, HasSubstr("1,000"));
  EXPECT_EQ(metric_of(with(1000), "quality.mauve").caveat, "");
  EXPECT_EQ(metric_of(with(400), "quality.judge_loss_matched").caveat, "");
}

TEST(TextQualitySpec, StatesTheModelsOwnEntropyWhereItIsExact) {
  const ProbeSpec& spec = probe("text_quality");
  const char* const name = "quality.entropy_model";
  EXPECT_THAT(names_of(metrics_of(spec, objective("causal_lm"), false)), Contains(name));
  EXPECT_THAT(names_of(metrics_of(spec, objective("masked_lm"), false)), Not(Contains(name)));
}

TEST(TextQualitySpec, RefusesArmsThatWouldBeJudgedByDifferentJudges) {
  const ProbeSpec& spec = probe("text_quality");
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params params(arm.params, Json::object());
  const auto refused = [&](std::int64_t width, std::int64_t greatest, std::int64_t judge) {
    return spec.refusal(resolved(spec, {{"judge_width", judge}}), {.objective = arm,
                                                                   .params = params,
                                                                   .offer = kOffer,
                                                                   .heads = models::head_specs(),
                                                                   .width = width,
                                                                   .greatest_width = greatest});
  };
  EXPECT_THAT(refused(64, 96, 0), HasSubstr("--set probes.text_quality.judge_width=192"));
  EXPECT_EQ(refused(96, 96, 0), "");
  EXPECT_EQ(refused(64, 96, 192), "");
}

TEST(HeldOutSpec, MeasuresEveryHead) {
  const auto names =
      names_of(metrics_of(probe("held_out"), objective("multi_token_prediction"), true));
  EXPECT_THAT(names, Contains("held_out.loss_ahead_4"));
  EXPECT_THAT(names, Contains("held_out.excess_ahead_2"));
  EXPECT_THAT(names, Not(Contains("held_out.loss_ahead_5")));
}

TEST(NamedProbes, NameTheirMetricsAndRefuseOtherNames) {
  const ProbeSpec& spec = probe("fine_tuning");
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params params(arm.params, Json::object());
  const ProbedArm probed{arm, params, kOffer, models::head_specs(), false};
  const Json files = {{"train", "a"}, {"test", "b"}};
  Json settings = files;
  settings["name"] = "intent";
  EXPECT_THAT(names_of(spec.metrics(resolved(spec, settings), probed)),
              Contains("intent.accuracy"));
  EXPECT_EQ(spec.refusal(resolved(spec, settings), probed), "");
  EXPECT_THAT(names_of(spec.metrics(resolved(spec, files), probed)),
              Contains("fine_tuning.accuracy"));
  for (const char* bad : {"", "a.b", "Intent", "a b"}) {
    settings["name"] = bad;
    EXPECT_THAT(spec.refusal(resolved(spec, settings), probed), HasSubstr("its name")) << bad;
  }
}

TEST(ClassificationSpec, AsksForLabelledTextOnTextAndForNoneOnTheLanguage) {
  const ProbeSpec& spec = probe("classification");
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params none = resolved(spec), both = resolved(spec, {{"train", "a"}, {"test", "b"}});
  EXPECT_EQ(refusal_of(spec, none, arm, true), "");
  EXPECT_EQ(refusal_of(spec, both, arm, false), "");
  EXPECT_THAT(refusal_of(spec, none, arm, false), HasSubstr("give 'train' and 'test'"));
  EXPECT_THAT(refusal_of(spec, resolved(spec, {{"train", "a"}}), arm, false), HasSubstr("'test'"));
  EXPECT_THAT(refusal_of(spec, both, arm, true), HasSubstr("leave both out"));
}

TEST(ClassificationSpec, RefusesACurveOfLabelsThatIsNotBelowAllOfThem) {
  const ProbeSpec& spec = probe("classification");
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params settings =
      resolved(spec, {{"training_documents", 100}, {"label_counts", {16, 100}}});
  EXPECT_THAT(refusal_of(spec, settings, arm, true),
              HasSubstr("label_counts has 100, but a curve of labels needs fewer than all"));
  const Params fewer = resolved(spec, {{"label_counts", {16}}});
  EXPECT_EQ(refusal_of(spec, fewer, arm, true), "");
  const Params params(arm.params, Json::object());
  EXPECT_THAT(names_of(spec.metrics(fewer, {arm, params, kOffer, models::head_specs(), true})),
              Contains("topic.accuracy_16"));
}

TEST(ClassificationSpec, NamesTopicsOnTheLanguageAndLabelsOnText) {
  const ProbeSpec& spec = probe("classification");
  EXPECT_THAT(names_of(metrics_of(spec, objective("causal_lm"), true)), Each(StartsWith("topic.")));
  EXPECT_THAT(names_of(metrics_of(spec, objective("causal_lm"), false)),
              Each(StartsWith("label.")));
}

TEST(ClozeSpec, RefusesArmsThatWouldBeAskedAboutDifferentTokens) {
  const ObjectiveSpec& spec = objective("causal_lm");
  const Params params(spec.params, Json::object());
  const auto refused = [&](std::int64_t context, std::int64_t fewest, std::int64_t longest) {
    return probe("cloze").refusal(
        resolved(probe("cloze"), {{"longest", longest}}),
        {spec, params, kOffer, models::head_specs(), true, context, fewest});
  };
  EXPECT_THAT(refused(64, 32, 0), HasSubstr("--set probes.cloze.longest=28"));
  EXPECT_THAT(refused(32, 32, 0), IsEmpty());
  EXPECT_THAT(refused(64, 32, 28), IsEmpty());
  EXPECT_THAT(refused(64, 32, 29), HasSubstr("give at most 28"));
  EXPECT_THAT(refused(10, 10, 0), HasSubstr("need a context of 11 tokens"));
  EXPECT_THAT(refused(11, 11, 0), IsEmpty());
}

TEST(CompressionSpec, StatesACodeForArmsThatHaveOneAndSaysOfOthersThatTheyHaveNone) {
  const ProbeSpec& spec = probe("compression");
  const auto causal = metrics_of(spec, objective("causal_lm"), false);
  EXPECT_THAT(names_of(causal), Contains("compression.bits_per_byte"));
  EXPECT_THAT(names_of(causal), Contains("compression.prequential"));
  EXPECT_THAT(names_of(metrics_of(spec, objective("masked_lm"), true)),
              Contains("compression.bits_per_token"));
  EXPECT_THAT(names_of(metrics_of(spec, objective("masked_lm"), true)),
              Not(Contains("compression.prequential")));
  const ObjectiveSpec& masked = objective("masked_lm");
  const Params pairs(masked.params, {{"format", "pair"}});
  const auto without =
      spec.metrics(resolved(spec), {masked, pairs, kOffer, models::head_specs(), false});
  EXPECT_THAT(names_of(without), Not(Contains("compression.bits_per_byte")));
  EXPECT_THAT(names_of(without), Contains("compression.xz"));
  EXPECT_THAT(without.front().caveat, HasSubstr("this arm has no code"));
}

TEST(CompressionSpec, RefusesPiecesThatLeaveNothingBefore) {
  const ObjectiveSpec& arm = objective("causal_lm");
  const Params params(arm.params, Json::object());
  const auto refused = [&](std::int64_t context) {
    return probe("compression")
        .refusal(resolved(probe("compression")),
                 {arm, params, kOffer, models::head_specs(), true, context, context});
  };
  EXPECT_THAT(refused(22), IsEmpty());
  EXPECT_THAT(refused(21), HasSubstr("--set probes.compression.piece=15 or less"));
  EXPECT_THAT(refused(6), HasSubstr("needs a context of 7 tokens"));
}

TEST(RepresentationSpec, TakesBothLabelledFilesOrNeither) {
  const ProbeSpec& spec = probe("representation");
  const ObjectiveSpec& arm = objective("causal_lm");
  EXPECT_EQ(refusal_of(spec, resolved(spec), arm, false), "");
  EXPECT_EQ(refusal_of(spec, resolved(spec), arm, true), "");
  EXPECT_THAT(refusal_of(spec, resolved(spec, {{"train", "a"}}), arm, false),
              HasSubstr("'train' is given without 'test'"));
  EXPECT_THAT(refusal_of(spec, resolved(spec, {{"pairs", "a"}}), arm, true),
              HasSubstr("leave them out"));
  const Params params(arm.params, Json::object());
  const auto metrics = spec.metrics(resolved(spec, {{"pairs", "a"}}),
                                    {arm, params, kOffer, models::head_specs(), false});
  EXPECT_THAT(names_of(metrics), Contains("representation.spearman"));
}

}  // namespace
}  // namespace ablate::probes
