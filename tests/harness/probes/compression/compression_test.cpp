// The compression probe: every arm codes every token once, the exact predictor reaches the optimum,
// and what stands beside is of the same text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "harness/probes/compression/baselines_spec.h"
#include "harness/probes/compression/byte_codes_spec.h"
#include "harness/probes/compression/coded_text_spec.h"
#include "harness/probes/compression/prequential.h"
#include "objectives/registry.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::int64_t kCodedContext = 40;

/// The settings of the probe as the plan leaves them.
Json planned(const data::Corpus& corpus, std::int64_t tokens, std::int64_t piece = 16) {
  return {{"type", "compression"},
          {"tokens", tokens},
          {"piece", piece},
          {"baselines", coding_baselines(corpus, {tokens, 0})}};
}

plan::Trial coded_by(const Json& objective, std::int64_t context = kCodedContext) {
  plan::Trial trial = trial_of(objective, "isolated", context);
  trial.shape = {2 * context, 2 * context};  // room for every format
  return trial;
}

data::Corpus text_corpus(const std::vector<std::string>& training,
                         const std::vector<std::string>& held_out) {
  data::CorpusContent content{
      .pieces = ByteTokenizer::all(), .ordinary = 256, .about = {{"kind", "text"}}};
  const auto fill = [](const std::vector<std::string>& texts,
                       data::CorpusContent::PartContent& part) {
    for (const std::string& text : texts) {
      part.tokens.push_back(begin_token);
      ByteTokenizer().encode(text, part.tokens);
      part.tokens.push_back(end_token);
      ++part.documents;
      part.bytes += std::ssize(text);
    }
  };
  fill(training, content.training);
  fill(held_out, content.held_out);
  return stored(content);
}

// Tokens of a task stand for no text, so lengths are counted by them, as on the language.
TEST(Compression, OfATaskIsCountedInTokens) {
  const data::Corpus corpus = task_corpus({{"copy", {{"length", {4}}}}});
  const Vocabulary vocabulary{.ordinary = corpus.ordinary(), .sentinels = 24};
  Oracle network(uniform_rule(vocabulary));
  const Measurement found =
      measured_on_text(corpus, coded_by({{"type", "causal_lm"}}), network, planned(corpus, 200));
  EXPECT_NEAR(found.metrics.at("compression.bits_per_token"),
              std::log2(static_cast<double>(vocabulary.size())), 1e-5);
  EXPECT_FALSE(found.metrics.contains("compression.bits_per_byte"));
  EXPECT_FALSE(found.metrics.contains("compression.optimum"));
  for (const auto& [name, value] : found.metrics)
    EXPECT_TRUE(std::isfinite(value) && value > 0) << name;
}

TEST(Compression, CostsEveryArmTheSameIfItsModelKnowsNothing) {
  const SmallWorld world;
  const double uniform = std::log2(static_cast<double>(world.vocabulary().size()));
  std::size_t coded = 0;
  std::vector<Json> arms = {{{"type", "masked_lm"}, {"format", "pair"}}};
  for (const ObjectiveSpec& spec : objectives::objective_specs())
    arms.push_back({{"type", spec.name}});
  for (const Json& objective : arms) {
    const ObjectiveSpec& spec = objective_named(objective.at("type").get<std::string>());
    Oracle network(uniform_rule(world.vocabulary()));
    const Measurement found =
        measured(world, coded_by(objective), network, planned(world.corpus, 200));
    Json settings = objective;
    settings.erase("type");
    const bool has_format =
        cloze_format_of(spec, Params(spec.params, settings)) != ClozeFormat::none;
    EXPECT_EQ(found.metrics.contains("compression.bits_per_token"), has_format) << spec.name;
    EXPECT_TRUE(found.metrics.contains("compression.xz")) << spec.name;
    EXPECT_EQ(found.details.contains("absent"), !has_format) << spec.name;
    if (!has_format) continue;
    ++coded;
    EXPECT_NEAR(found.metrics.at("compression.bits_per_token"), uniform, 1e-5) << spec.name;
    EXPECT_NEAR(found.metrics.at("compression.untrained"), uniform, 1e-5) << spec.name;
  }
  EXPECT_GE(coded, 6u);
  EXPECT_LT(coded, arms.size()) << "no arm lacks a format";
}

TEST(Compression, ReachesTheOptimumWithTheExactPredictor) {
  const SmallWorld world;
  const ObjectiveSpec& spec = objective_named("causal_lm");
  const Params params(spec.params, Json::object());
  Oracle network(world.language.chain(), exact_rule(world.language.chain(), spec, params));
  for (const std::int64_t piece : {1, 7, 64}) {
    const Measurement found = measured(world, coded_by({{"type", "causal_lm"}}, 400), network,
                                       planned(world.corpus, 300, piece));
    const auto& metrics = found.metrics;
    EXPECT_NEAR(metrics.at("compression.bits_per_token"), metrics.at("compression.optimum"), 1e-5);
    EXPECT_LT(metrics.at("compression.optimum"), metrics.at("compression.unigram"));
    EXPECT_LT(metrics.at("compression.optimum"), metrics.at("compression.kneser_ney"));
    EXPECT_LT(metrics.at("compression.kneser_ney"), metrics.at("compression.unigram"));
  }
}

TEST(Compression, CountsTheBytesOfText) {
  const data::Corpus corpus = text_corpus({"abcabcabc"}, {"abcab", "cabc"});
  Oracle network(uniform_rule({.ordinary = 256}));
  const Measurement found =
      measured_on_text(corpus, coded_by({{"type", "causal_lm"}}), network, planned(corpus, 0));
  EXPECT_EQ(found.details.at("bytes"), 9);
  EXPECT_EQ(found.details.at("documents"), 2);
  EXPECT_NEAR(found.metrics.at("compression.bits_per_byte"), std::log2(272), 1e-5);
  EXPECT_NEAR(found.metrics.at("compression.untrained"), std::log2(272), 1e-5);
  EXPECT_DOUBLE_EQ(found.metrics.at("compression.xz"),
                   8 * static_cast<double>(xz_size("abcabcabc")) / 9);
  EXPECT_FALSE(found.metrics.contains("compression.optimum"));
  EXPECT_FALSE(found.metrics.contains("compression.prequential")) << "no course of training";
}

TEST(Compression, RefusesSettingsThatThePlanDidNotPrepare) {
  const SmallWorld world;
  Oracle network(uniform_rule(world.vocabulary()));
  EXPECT_THAT(
      [&] {
        measured(world, coded_by({{"type", "causal_lm"}}), network, {{"type", "compression"}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("plan the experiment again")));
}

TEST(CodedText, IsDrawnOnceAndCutToFit) {
  const data::Corpus corpus = text_corpus({"x"}, {"abcd", "efgh", "ijkl", ""});
  const CodedText all = coded_text(corpus, 0);
  ASSERT_EQ(all.documents.size(), 3u) << "one has no text";
  EXPECT_EQ(all.tokens, 12);
  EXPECT_EQ(all.bytes, 12);
  EXPECT_EQ(bytes_of(corpus, all.documents[1]), "efgh");
  const CodedText some = coded_text(corpus, 6);
  EXPECT_EQ(some.tokens, 6);
  ASSERT_EQ(some.documents.size(), 2u);
  const std::string text =
      bytes_of(corpus, some.documents[0]) + " " + bytes_of(corpus, some.documents[1]);
  EXPECT_THAT(text,
              ::testing::AnyOf("abcd ef", "ab efgh", "abcd ij", "ab ijkl", "efgh ij", "ef ijkl"));
  EXPECT_EQ(coded_text(corpus, 6).documents[0].data(), some.documents[0].data());
}

TEST(CodedText, IsWrittenAsItsOwnBytesOrAsNumbers) {
  const std::string text = "a\n\xC3\xA9\xFF";
  const data::Corpus corpus = text_corpus({"x"}, {text});
  EXPECT_EQ(bytes_of(corpus, coded_text(corpus, 0).documents[0]), text);
  const SmallWorld small;
  const Token tokens[] = {begin_token, special_count + 3, special_count, end_token};
  EXPECT_EQ(bytes_of(small.corpus, tokens), std::string("\3\0", 2));
  const SmallWorld large(Json({{"vocabulary", 300}}));
  const Token token[] = {special_count + 258};
  EXPECT_EQ(bytes_of(large.corpus, token), "\2\1");
}

TEST(ByteCodes, AreAsLongAsTheirTextIsNew) {
  std::string random;
  Rng rng(5);
  for (int i = 0; i < 4000; ++i) random += static_cast<char>(rng.below(256));
  for (const auto size : {xz_size, zstd_size}) {
    EXPECT_LT(size(std::string(4000, 'a')), 40);
    EXPECT_NEAR(static_cast<double>(size(random)), 4000, 20);
    EXPECT_LT(size(random + random) - size(random), 100);
    EXPECT_LT(size(""), 20);
  }
}

TEST(Prequential, AddsUpTheFirstPassAlone) {
  // Two passes of 100 tokens each, of which 90 are scored. The third point lies in the second pass.
  TrainingCourse course{.points = {{1, 10, 3}, {10, 100, 2}, {20, 200, 0.5}},
                        .epochs = 2,
                        .text_tokens = 200,
                        .scored_tokens = 180};
  const auto code = prequential_code(course, 64);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->steps, 10);
  EXPECT_EQ(code->tokens, 100);
  const double scored = (3.0 * 10 + 2.0 * 90) / 100 / std::log(2.0);
  EXPECT_NEAR(code->bits_per_token, 0.9 * scored + 0.1 * 6, 1e-12);
  course.points[0].loss.reset();  // nothing was scored up to there
  EXPECT_NEAR(prequential_code(course, 64)->bits_per_token, 0.9 * 2 / std::log(2.0) + 0.1 * 6,
              1e-12);
  course.epochs = 0.5;  // all of it is of the first pass
  EXPECT_EQ(prequential_code(course, 64)->steps, 20);
  course.points.clear();
  EXPECT_FALSE(prequential_code(course, 64));
}

TEST(Baselines, AreKeptInTheCacheByTheirTextAndLimits) {
  const auto folder = scratch_folder("baselines");
  const SmallWorld world;
  data::CorpusContent content{.ordinary = world.corpus.ordinary(), .about = {{"kind", "language"}}};
  const auto part = [](const data::Part& from) {
    return data::CorpusContent::PartContent{.tokens = {from.tokens.begin(), from.tokens.end()},
                                            .documents = from.documents};
  };
  content.training = part(world.corpus.training());
  content.held_out = part(world.corpus.held_out());
  const Preparation preparation{.cache = folder, .corpus = data::write_corpus(folder, content)};
  const ProbeSpec& spec = *probe_of({{"type", "compression"}}).spec;
  const auto prepared = [&](std::int64_t tokens) {
    return spec.prepare(Params(spec.params, {{"tokens", tokens}}), preparation);
  };
  const auto files = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".json") found.push_back(entry.path());
    return found;
  };
  const Json first = prepared(100);
  EXPECT_EQ(first.at("baselines").at("tokens"), 100);
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(prepared(100), first);
  EXPECT_EQ(files().size(), 1u);
  std::ofstream(files().front()) << "{\"baselines\": 1}";
  EXPECT_EQ(prepared(100), first) << "what does not verify is computed anew";
  EXPECT_NE(prepared(200), first);
  EXPECT_EQ(files().size(), 2u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ablate::probes
