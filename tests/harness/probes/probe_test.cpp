// How any probe is run: by its row of the table, and held to the metrics that its spec lists. The
// probe here is added as docs/extending.md says, to a table of the test's own.

#include "harness/probes/probe.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "harness/plan/resolve/join_heads.h"
#include "harness/probes/measuring.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using ::testing::ElementsAre;
using testing::SmallWorld;
using ::testing::ThrowsMessage;

/// The spec of a toy: it counts the held-out documents, `times` over.
ProbeSpec toy_spec() {
  return {
      .name = "toy",
      .summary = "the number of held-out documents",
      .params = {integer("times", 1, 1, 10, "how often each is counted")},
      .metrics = [](const Params&, const ProbedArm&) {
        return std::vector<Metric>{{"toy.documents", "toy documents", "documents", Better::neither,
                                    Comparable::all_arms, "held-out documents"}};
      }};
}

double held_out_documents(const Subject& subject, const plan::ResolvedProbe& probe) {
  return static_cast<double>(subject.corpus.held_out().documents * probe.params.integer("times"));
}

Measurement measure_toy(const Subject& subject, const plan::ResolvedProbe& probe,
                        const ProgressSink& progress) {
  EXPECT_FALSE(at::GradMode::is_enabled());
  progress(0.5);
  return {.metrics = {{"toy.documents", held_out_documents(subject, probe)}}};
}

/// The same with a metric that the spec does not list.
Measurement measure_more(const Subject& subject, const plan::ResolvedProbe& probe,
                         const ProgressSink&) {
  return {.metrics = {{"toy.documents", held_out_documents(subject, probe)}, {"toy.pages", 1}}};
}

/// The same with a value for each of two items, the second of which may be infinite.
template <int kCase>
Measurement measure_items(const Subject& subject, const plan::ResolvedProbe& probe,
                          const ProgressSink&) {
  const double one = kCase == 0 ? 1 : std::numeric_limits<double>::infinity();
  return {.metrics = {{"toy.documents", held_out_documents(subject, probe)}},
          .items = {{"toy.documents", {2, one}}}};
}

/// The same, after a change of the weights that it was lent.
Measurement measure_and_change(const Subject& subject, const plan::ResolvedProbe& probe,
                               const ProgressSink&) {
  subject.network.parameters().front().value.mul_(1);
  return {.metrics = {{"toy.documents", held_out_documents(subject, probe)}}};
}

/// What the toy measures on a small world, counting each document three times, by this table.
Measurement measured_by(std::span<const MeasureRow> table, const SmallWorld& world,
                        const ProgressSink& progress = {}) {
  const plan::ResolvedModel model = testing::any_model(world.vocabulary());
  const plan::ResolvedPhase phase =
      testing::phase_of(testing::trial_of({{"type", "causal_lm"}}), model);
  testing::Oracle network(testing::uniform_rule(world.vocabulary()));
  network.parameters().push_back(
      {.name = "weight", .value = at::full({1, 2}, 1.0), .deviation = 0});
  const Subject subject{.seed = 1,
                        .model = model,
                        .phase = phase,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = network};
  const ProbeSpec spec = toy_spec();
  const Json settings = {{"times", 3}};
  return measure(subject,
                 plan::ResolvedProbe{
                     .spec = &spec, .params = Params(spec.params, settings), .settings = settings},
                 progress, table);
}

TEST(ObjectiveAt, PutsLabelsWhereTheNetworkOfAllPhasesHasTheirHead) {
  const SmallWorld world;
  const plan::ResolvedModel model = testing::any_model(world.vocabulary());
  plan::ResolvedPhase own = testing::phase_of(
      testing::trial_of({{"type", "multi_token_prediction"}, {"heads", 2}, {"kind", "linear"}}),
      model);
  plan::ResolvedPhase pairs = testing::phase_of(
      testing::trial_of({{"type", "masked_lm"}, {"format", "pair"}, {"pair", "nsp"}}), model);
  ASSERT_EQ(plan::join_heads(own, {&pairs, 1}), "");
  testing::Oracle network(testing::uniform_rule(world.vocabulary()));
  const Subject subject{.seed = 1,
                        .model = model,
                        .phase = pairs,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = network};
  const Needs needs = objective_at(subject, pairs.params).needs;
  EXPECT_THAT(needs.parts, ElementsAre(0, 2));
  ASSERT_EQ(needs.heads.size(), 3u);
  EXPECT_FALSE(needs.heads[1].scored);
  EXPECT_EQ(needs.heads[2].kind, "pair");
  const Params other(pairs.spec->params, {{"format", "pair"}, {"pair", "sop"}});  // the same head
  EXPECT_EQ(objective_at(subject, other).needs.parts, needs.parts);
}

TEST(ObjectiveAt, RefusesHeadsThatTheNetworkDoesNotHave) {
  const SmallWorld world;
  const plan::ResolvedModel model = testing::any_model(world.vocabulary());
  const plan::ResolvedPhase phase =
      testing::phase_of(testing::trial_of({{"type", "masked_lm"}}), model);
  testing::Oracle network(testing::uniform_rule(world.vocabulary()));
  const Subject subject{.seed = 1,
                        .model = model,
                        .phase = phase,
                        .corpus = world.corpus,
                        .language = &world.language,
                        .network = network};
  EXPECT_NO_THROW(objective_at(subject, phase.params));
  const Params pairs(phase.spec->params, {{"format", "pair"}, {"pair", "nsp"}});
  EXPECT_THROW(objective_at(subject, pairs), std::logic_error);
}

TEST(Measure, RunsAProbeOfItsTableWithoutGradients) {
  const SmallWorld world;
  std::vector<double> fractions;
  const MeasureRow table[] = {{"other", measure_more}, {"toy", measure_toy}};
  const Measurement made =
      measured_by(table, world, [&](double fraction) { fractions.push_back(fraction); });
  EXPECT_DOUBLE_EQ(made.metrics.at("toy.documents"),
                   static_cast<double>(3 * world.corpus.held_out().documents));
  EXPECT_THAT(fractions, ElementsAre(0.5, 1));
  EXPECT_TRUE(at::GradMode::is_enabled());
}

TEST(Measure, RefusesAMetricThatTheSpecDoesNotList) {
  const MeasureRow table[] = {{"toy", measure_more}};
  EXPECT_THAT([&] { measured_by(table, SmallWorld()); },
              ThrowsMessage<std::logic_error>("probe toy does not list metric toy.pages"));
}

// A file of results with one could not be read.
TEST(Measure, LeavesOutItemsThatAreNotFinite) {
  const MeasureRow finite[] = {{"toy", measure_items<0>}}, infinite[] = {{"toy", measure_items<1>}};
  EXPECT_EQ(measured_by(finite, SmallWorld()).details.at("items").at("toy.documents").size(), 2u);
  const Measurement made = measured_by(infinite, SmallWorld());
  EXPECT_FALSE(made.details.contains("items"));
  EXPECT_TRUE(made.metrics.contains("toy.documents"));
}

Measurement measure_fractions(const Subject& subject, const plan::ResolvedProbe& probe,
                              const ProgressSink&) {
  return {.metrics = {{"toy.documents", held_out_documents(subject, probe)}},
          .items = {{"toy.documents", {2.0 / 3, -4000.0 / 3, 1, 1e-310}}}};
}

TEST(Measure, StoresAsManyDigitsOfAnItemAsAFloatHas) {
  const MeasureRow table[] = {{"toy", measure_fractions}};
  const Measurement made = measured_by(table, SmallWorld());
  EXPECT_EQ(made.details.at("items").at("toy.documents").dump(),
            "[0.6666667,-1333.333,1.0,1e-310]");
  EXPECT_EQ(made.items.at("toy.documents")[0], 2.0 / 3) << "what is computed with them is exact";
}

TEST(Measure, RefusesAProbeThatChangesTheWeights) {
  const MeasureRow table[] = {{"toy", measure_and_change}};
  EXPECT_THAT([&] { measured_by(table, SmallWorld()); },
              ThrowsMessage<std::logic_error>("probe toy changed the model's weights"));
}

TEST(Measure, RefusesAProbeWithoutAMeasuringFunction) {
  EXPECT_THAT([] { measured_by(measure_rows(), SmallWorld()); },
              ThrowsMessage<std::logic_error>("probe toy has a spec but no measuring function"));
}

TEST(MeasureRows, AreThoseOfTheSpecs) {
  std::vector<std::string_view> names;
  for (const MeasureRow& row : measure_rows()) names.push_back(row.probe);
  std::vector<std::string_view> specs;
  for (const ProbeSpec& spec : probe_specs()) specs.push_back(spec.name);
  EXPECT_EQ(names, specs);
}

}  // namespace
}  // namespace ablate::probes
