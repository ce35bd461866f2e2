// The probe of verbatim recall: who knows the training text by heart is told from who knows the language.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/probes/documents.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr std::int64_t kRecalled = 6;

const Json kVerbatimProbe = {
    {"type", "verbatim"}, {"documents", 50}, {"prompt", 8}, {"length", kRecalled}};

/// Knows how the documents of a part go on, and nothing else.
Oracle::Rule by_heart(const data::Part& part, const Vocabulary& vocabulary) {
  std::map<std::vector<Token>, Token> next;  // by what stands before
  for (const std::span<const Token> document : documents_of(part, SIZE_MAX))
    for (std::size_t i = 1; i < document.size(); ++i)
      next[{document.begin(), document.begin() + static_cast<std::ptrdiff_t>(i)}] = document[i];
  return [next, size = static_cast<std::size_t>(vocabulary.size())](const Seen& seen) {
    std::vector<double> logits(size, 0.0);
    const auto found = next.find({seen.visible.begin(), seen.visible.end()});
    if (found != next.end()) logits[static_cast<std::size_t>(found->second)] = 20;
    return logits;
  };
}

Measurement recited(const SmallWorld& world, Oracle& network, const Json& objective) {
  return measured(world, trial_of(objective), network, kVerbatimProbe);
}

TEST(Verbatim, TellsWhoKnowsTheTrainingTextByHeart) {
  const SmallWorld world;
  Oracle network(by_heart(world.corpus.training(), world.vocabulary()));
  const auto metrics = recited(world, network, {{"type", "causal_lm"}}).metrics;
  // Some documents begin as others do, and no rule knows which one it reads.
  EXPECT_GT(metrics.at("verbatim.accuracy_training"), 0.99);
  EXPECT_GT(metrics.at("verbatim.exact_training"), 0.95);
  EXPECT_LT(metrics.at("verbatim.loss_training"), 0.1);
  EXPECT_LT(metrics.at("verbatim.accuracy_fresh"), 0.3);
  EXPECT_EQ(metrics.at("verbatim.exact_fresh"), 0);
  EXPECT_EQ(metrics.at("verbatim.gain"),
            metrics.at("verbatim.accuracy_training") - metrics.at("verbatim.accuracy_fresh"));
}

TEST(Verbatim, FindsNothingByHeartInWhoKnowsTheLanguage) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("causal_lm");
  Oracle network(world.language.chain(), exact_rule(world.language.chain(), spec, Params()));
  const Measurement m = recited(world, network, {{"type", "causal_lm"}});
  EXPECT_NEAR(m.metrics.at("verbatim.gain"), 0, 0.1);
  EXPECT_NEAR(m.metrics.at("verbatim.loss_training"), m.metrics.at("verbatim.loss_fresh"), 0.4);
  EXPECT_EQ(m.items.at("verbatim.accuracy_training").size(), 50u);
}

TEST(Verbatim, AsksArmsOfEveryFormatTheSame) {
  const SmallWorld world;
  for (const char* type : {"causal_lm", "prefix_lm", "masked_lm", "masked_diffusion"}) {
    Oracle network(uniform_rule(world.vocabulary()));
    const auto metrics = recited(world, network, {{"type", type}}).metrics;
    EXPECT_NEAR(metrics.at("verbatim.loss_training"), std::log(world.vocabulary().size()), 1e-5)
        << type;
  }
}

// A format that showed what it asks for would make a reciter of whoever copies what stands at a place.
TEST(Verbatim, ShowsNoFormatWhatItAsksFor) {
  const SmallWorld world;
  const auto size = static_cast<std::size_t>(world.vocabulary().size());
  for (const char* type : {"masked_lm", "masked_diffusion"}) {
    Oracle copying([size](const Seen& seen) {
      std::vector<double> logits(size, 0.0);
      logits[static_cast<std::size_t>(seen.row[seen.place])] = 20;
      return logits;
    });
    const auto metrics = recited(world, copying, {{"type", type}}).metrics;
    EXPECT_EQ(metrics.at("verbatim.accuracy_training"), 0) << type;
    EXPECT_GT(metrics.at("verbatim.loss_training"), 10) << type;
  }
}

TEST(Verbatim, SaysWhyItMeasuresNothing) {
  const SmallWorld world;
  Oracle network(uniform_rule(world.vocabulary()));
  const Measurement no_format = recited(world, network, {{"type", "right_to_left_lm"}});
  EXPECT_TRUE(no_format.metrics.empty());
  Json long_passages = kVerbatimProbe;
  long_passages["length"] = 100000;
  const Measurement none =
      measured(world, trial_of({{"type", "causal_lm"}}), network, long_passages);
  EXPECT_TRUE(none.metrics.empty());
  EXPECT_THAT(none.details.dump(), ::testing::HasSubstr("no document"));
}

}  // namespace
}  // namespace ablate::probes
