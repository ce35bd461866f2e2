// Answers of models whose rules are known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/data/tasks/task_text.h"
#include "harness/probes/answers/answer_questions_spec.h"
#include "harness/probes/members.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;

constexpr double kSure = 20;  // logit of what a rule says

/// A rule that is sure of one token, which it computes from what is visible.
Oracle::Rule sure_of(const data::Corpus& corpus, std::function<Token(const Seen&)> token) {
  const auto size = static_cast<std::size_t>(special_count + corpus.ordinary() + 24);
  return [size, token = std::move(token)](const Seen& seen) {
    std::vector<double> logits(size, 0.0);
    logits[static_cast<std::size_t>(token(seen))] = kSure;
    return logits;
  };
}

Measurement answers_of(const data::Corpus& corpus, const Oracle::Rule& rule,
                       const char* objective = "causal_lm") {
  Oracle oracle(rule);
  return measured_on_text(corpus, trial_of({{"type", objective}}, "padded", 40), oracle,
                          {{"type", "answers"}, {"documents", 60}});
}

/// What stood behind the last token where it stood before; the token itself where it did not.
Token recalled(std::span<const Token> visible) {
  const Token key = visible.back();
  for (std::size_t i = visible.size() - 1; i-- > 0;)
    if (visible[i] == key) return visible[i + 1];
  return key;
}

TEST(Answers, OfAModelThatLooksUpAreAllRight) {
  const data::Corpus corpus =
      task_corpus({{"associative_recall", {{"pairs", {2, 4}}, {"test_pairs", {4, 6}}}}});
  const Measurement m =
      answers_of(corpus, sure_of(corpus, [](const Seen& seen) { return recalled(seen.visible); }));
  for (const char* name :
       {"accuracy", "first", "exact", "accuracy_pairs_4", "accuracy_pairs_6", "exact_pairs_6"})
    EXPECT_EQ(m.metrics.at(std::string("answers.") + name), 1) << name;
  EXPECT_LT(m.metrics.at("answers.loss"), 1e-4);
  EXPECT_DOUBLE_EQ(m.metrics.at("answers.chance"), 1. / 32);
  EXPECT_FALSE(m.metrics.contains("answers.accuracy_pairs_2")) << "it is not asked about";
  EXPECT_EQ(m.items.at("answers.exact").size(), 60u) << "of 4 pairs, which training has, too";
  // ln 2 for the difficulty; keys, values and the order of queries; over all tokens but the first.
  EXPECT_GT(m.metrics.at("answers.text_optimum"), 1);
  EXPECT_LT(m.metrics.at("answers.text_optimum"), std::log(32));
}

/// An oracle that counts the rows which it reads.
struct CountingOracle final : Oracle {
  using Oracle::Oracle;

  at::Tensor hidden(const train::Inputs& inputs) override {
    rows += inputs.tokens.size(1);
    return Oracle::hidden(inputs);
  }

  std::int64_t rows = 0;
};

TEST(Answers, OfADocumentThatIsReadFromTheLeftTakeOneRow) {
  const data::Corpus corpus = task_corpus({{"associative_recall", {{"pairs", {4}}}}});
  const auto rows_of = [&](const Json& objective) {
    CountingOracle oracle(sure_of(corpus, [](const Seen& seen) { return recalled(seen.visible); }));
    const Measurement m = measured_on_text(corpus, trial_of(objective, "padded", 40), oracle,
                                           {{"type", "answers"}, {"documents", 60}});
    EXPECT_EQ(m.items.at("answers.exact").size(), 60u);
    return oracle.rows;
  };
  EXPECT_EQ(rows_of({{"type", "causal_lm"}}), 60);
  EXPECT_EQ(rows_of({{"type", "prefix_lm"}}), 4 * 60) << "its inputs see each other";
}

TEST(Answers, OfADocumentMayBeTheLastOnesAlone) {
  const data::Corpus corpus = task_corpus({{"associative_recall", {{"pairs", {6}}}}});
  const data::TaskText text{corpus.about().at("params")};
  const data::TaskDocument document = text.document(data::TaskPart::questions, 3);
  const auto asked = [&](const Json& given) {
    return questions_about(document, Params(answers_spec().params, given));
  };
  const std::vector<Cloze> all = asked(Json::object());
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(asked({{"asked", 7}}).size(), 6u);
  const std::vector<Cloze> last = asked({{"asked", 2}});
  ASSERT_EQ(last.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(last[i].target.data(), all[4 + i].target.data());
}

// A model that follows edges and guesses an arm: half of the first nodes, and all that come later.
TEST(Answers, OfAModelThatFollowsEdgesFailAtTheFirstNode) {
  const data::Corpus corpus = task_corpus({{"star", {{"path", {4}}, {"nodes", 12}}}});
  const Token slash = special_count + 13;
  const Measurement m = answers_of(corpus, sure_of(corpus, [slash](const Seen& seen) {
                                     const auto at = std::ranges::find(seen.visible, slash);
                                     const auto edges = std::span(seen.visible.begin(), at);
                                     for (std::size_t i = 1; i + 1 < edges.size(); i += 3)
                                       if (edges[i] == seen.visible.back()) return edges[i + 1];
                                     return seen.visible.back();
                                   }));
  EXPECT_NEAR(m.metrics.at("answers.first"), 0.5, 0.25);
  EXPECT_NEAR(m.metrics.at("answers.exact"), m.metrics.at("answers.first"), 1e-12);
  // Given the true second node, the rest follows.
  EXPECT_NEAR(m.metrics.at("answers.accuracy"), (m.metrics.at("answers.first") + 2) / 3, 1e-12);
}

TEST(Answers, AreAskedInPlaceToo) {
  const data::Corpus corpus = task_corpus({{"copy", {{"length", {3}}, {"symbols", 5}}}});
  // Place 5 of "begin s s s > s s s end" copies place 1, and so on.
  const auto copied = sure_of(corpus, [](const Seen& seen) {
    return seen.row[seen.place >= 4 ? seen.place - 4 : seen.place];
  });
  const Measurement m = answers_of(corpus, copied, "masked_lm");
  EXPECT_EQ(m.metrics.at("answers.exact"), 1);
  const auto nothing = sure_of(corpus, [](const Seen&) { return special_count; });
  const double guessed = answers_of(corpus, nothing, "masked_lm").metrics.at("answers.accuracy");
  EXPECT_NEAR(guessed, 0.2, 0.12);
}

TEST(Answers, AreRefusedWhereThereAreNone) {
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("answers");
  const ObjectiveSpec& causal = objective_named("causal_lm");
  const Params params(causal.params, Json::object());
  const Offer offer;
  ProbedArm arm{causal, params, offer, {}, true, 64, 64};
  EXPECT_THAT(spec.refusal(Params(), arm), ::testing::HasSubstr("corpus.kind = \"task\""));
  const Json section = {{"kind", "task"}, {"star", {{"path", {5}}, {"nodes", 30}}}};
  arm.language = false;
  arm.task = &section;
  EXPECT_EQ(spec.refusal(Params(), arm), "");
  arm.fewest_context = 30;
  EXPECT_THAT(spec.refusal(Params(), arm), ::testing::HasSubstr("34 tokens"));
}

}  // namespace
}  // namespace ablate::probes
