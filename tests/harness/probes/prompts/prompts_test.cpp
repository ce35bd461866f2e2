// Properties of the prompts probe: what is asked, and what the report is given.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/probes/prompts/answers.h"
#include "harness/probes/prompts/asking_spec.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/cloze/asking.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

const Encode kLetters = [](const std::string& text) {
  std::vector<Token> ids;
  for (const char letter : text) ids.push_back(special_count + letter - 'a');
  return ids;
};

std::vector<Token> ids(const std::string& letters) { return kLetters(letters); }

TEST(Prompts, BlanksSplitATextAndOneEndsATextWithoutAny) {
  using Parts = std::vector<std::vector<Token>>;
  EXPECT_EQ(parts_of("ab___c", kLetters), (Parts{ids("ab"), ids("c")}));
  EXPECT_EQ(parts_of("___ab_____c___", kLetters), (Parts{{}, ids("ab"), ids("c"), {}}));
  EXPECT_EQ(parts_of("ab", kLetters), (Parts{ids("ab"), {}}));
  EXPECT_EQ(parts_of("", kLetters), (Parts{{}, {}}));
}

TEST(Prompts, ASpaceBeforeABlankIsInTheBlank) {
  EXPECT_EQ(with_spaces_in_blanks("To be, or ___ to be"), "To be, or___ to be");
  EXPECT_EQ(with_spaces_in_blanks(" ___ a  _____ b ___"), "___ a_____ b___");
  EXPECT_EQ(with_spaces_in_blanks("to be "), "to be ") << "no blank is written";
}

/// What the plan makes of a text on a corpus whose tokenizer is of this kind: the parts around blanks.
Json prepared_parts(const std::string& kind, const std::string& text) {
  const auto folder = scratch_folder("prompts");
  data::CorpusContent content{.pieces = ByteTokenizer::all(),
                              .ordinary = 256,
                              .about = {{"kind", "text"}, {"tokenizer", {{"kind", kind}}}}};
  content.training.tokens = content.held_out.tokens = {begin_token, special_count, end_token};
  content.training.documents = content.held_out.documents = 1;
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("prompts");
  const Json prepared =
      spec.prepare(Params(spec.params, {{"texts", {text}}}),
                   {.corpus = data::write_corpus(folder, content),
                    .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
  std::filesystem::remove_all(folder);
  return prepared.at("parts").at(0);
}

TEST(Prompts, OfPiecesOfWordsHaveASpaceBeforeABlankInTheBlankAsTryHas) {
  const auto encoded = [](const std::string& text) {
    std::vector<Token> ids;
    ByteTokenizer().encode(text, ids);
    return ids;
  };
  EXPECT_EQ(prepared_parts("bpe", "To be ___ to"), Json({encoded("To be"), encoded(" to")}));
  EXPECT_EQ(prepared_parts("bytes", "To be ___ to"), Json({encoded("To be "), encoded(" to")}))
      << "a space is a token";
}

TEST(Prompts, APassageAndItsTruthAreTheDocument) {
  std::vector<Token> document = {begin_token};
  for (Token i = 0; i < 12; ++i) document.push_back(special_count + i);
  document.push_back(end_token);
  const auto passage = passage_of(document, 3, 100);
  ASSERT_TRUE(passage);
  std::vector<Token> joined = passage->parts[0];
  joined.insert(joined.end(), passage->truth.begin(), passage->truth.end());
  joined.insert(joined.end(), passage->parts[1].begin(), passage->parts[1].end());
  EXPECT_EQ(joined, std::vector(document.begin() + 1, document.end() - 1));
  EXPECT_EQ(passage->parts[0].size(), 4u);
  EXPECT_EQ(passage_of(document, 3, 100, 0)->truth,
            std::vector(document.begin() + 1, document.begin() + 4));
  EXPECT_TRUE(passage_of(document, 3, 100, 9)->parts[1].empty());
  EXPECT_FALSE(passage_of(document, 3, 100, 10)) << "2 tokens are left of it";
  EXPECT_FALSE(passage_of(document, 9, 100)) << "4 tokens are left of it";
  EXPECT_EQ(passage_of(document, 3, 9)->parts[1].size(), 1u) << "6 of 9 positions are shown";
}

TEST(Prompts, TheExactPredictorAnswersAsTheExactPosteriorSays) {
  const SmallWorld world;
  const Chain& chain = world.language.chain();
  const ObjectiveSpec& spec = objective_named("masked_diffusion");
  Oracle exact(chain, exact_rule(chain, spec, Params(spec.params, Json::object())));
  const plan::ResolvedModel model = any_model(world.vocabulary());
  plan::ResolvedPhase phase = phase_of(trial_of({{"type", "masked_diffusion"}}), model);
  phase.shape = {phase.context, phase.context};
  const Measurement measurement =
      measure({.model = model,
               .phase = phase,
               .corpus = world.corpus,
               .language = &world.language,
               .network = exact},
              probe_of({{"type", "prompts"}, {"documents", 3}, {"tokens", 2}}), {});
  ASSERT_EQ(measurement.samples.size(), 3u);
  EXPECT_TRUE(measurement.metrics.empty());
  for (const Json& sample : measurement.samples) {
    const Json& about = sample.at("about");
    ASSERT_FALSE(about.contains("note")) << about;
    const Json &first = about.at("first"), &posterior = about.at("exact");
    ASSERT_EQ(first.size(), posterior.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_NEAR(first[i].at(1).get<double>(), posterior[i].at(1).get<double>(), 1e-5) << about;
    EXPECT_THAT(about.at("question").get<std::string>(), HasSubstr("___"));
    EXPECT_THAT(sample.at("text").get<std::string>(), Not(HasSubstr("___")));
  }
}

TEST(Prompts, AskInTheOrderOfThePartsThatIsBetterOnHeldOutDocuments) {
  const SmallWorld world;
  const double ordinary = static_cast<double>(world.vocabulary().ordinary);
  for (const char* order : {"spm", "psm"}) {
    Oracle network(world.language.chain(), knowing(order, world.vocabulary()));
    const Measurement m = measured(world, trial_of({{"type", "fill_in_the_middle"}}), network,
                                   {{"type", "prompts"}, {"documents", 1}, {"tokens", 2}});
    const Json& first = m.samples.at(0).at("about").at("first");
    EXPECT_NEAR(first.at(0).at(1).get<double>(), 1 / ordinary, 1e-6) << order << ": it is text";
  }
}

/// What a causal model of context 24 answers to a text of so many tokens with a blank at its end.
Json answer_to(std::size_t length, const Json& objective = {{"type", "causal_lm"}}) {
  const SmallWorld world;
  Oracle network(world.language.chain(), arbitrary_rule(world.vocabulary()));
  const plan::ResolvedModel model = any_model(world.vocabulary());
  const plan::ResolvedPhase phase = phase_of(trial_of(objective), model);
  plan::ResolvedProbe probe = probe_of({{"type", "prompts"}, {"documents", 0}, {"tokens", 6}});
  probe.settings["parts"] = {{std::vector<Token>(length, special_count), Json::array()}};
  const Measurement made = measure({.model = model,
                                    .phase = phase,
                                    .corpus = world.corpus,
                                    .language = &world.language,
                                    .network = network},
                                   probe, {});
  return made.samples.at(0);
}

/// How many words of the text were filled in, beside those of the question.
std::int64_t words_filled(std::size_t length) {
  const Json sample = answer_to(length);
  EXPECT_FALSE(sample.at("about").contains("note")) << sample;
  const std::string text = sample.at("text");
  return std::count(text.begin(), text.end(), 'w') - static_cast<std::int64_t>(length);
}

// A model that writes from left to right needs no room for what it has not written.
TEST(Prompts, ATextThatFitsIsContinuedAsFarAsThereIsRoom) {
  EXPECT_EQ(words_filled(17), 6) << "1 + 17 + 6 = 24 positions";
  EXPECT_EQ(words_filled(18), 5);
  EXPECT_EQ(words_filled(22), 1);
  EXPECT_THAT(answer_to(23).at("about").at("note").get<std::string>(),
              HasSubstr("take 25 positions and do not fit into the 24 that the model has"));
  const Json masked = answer_to(18, {{"type", "masked_lm"}});
  EXPECT_THAT(masked.at("about").at("note").get<std::string>(), HasSubstr("do not fit into"))
      << "all of its masks are there from the start";
}

TEST(Prompts, WhatAnArmCannotBeAskedIsANoteAndNoFailure) {
  const SmallWorld world;
  Oracle network(world.language.chain(), uniform_rule(world.vocabulary()));
  const Measurement pairs = measured(world, trial_of({{"type", "masked_lm"}, {"format", "pair"}}),
                                     network, {{"type", "prompts"}, {"documents", 1}});
  ASSERT_EQ(pairs.samples.size(), 1u);
  EXPECT_THAT(pairs.samples[0].at("about").at("note").get<std::string>(), HasSubstr("no format"));
}

}  // namespace
}  // namespace ablate::probes
