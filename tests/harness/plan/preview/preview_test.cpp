// Previews of an arm.

#include "harness/plan/preview/preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::small_catalog;
using testing_support::small_experiment;

/// The small catalogue with other objectives, which must outlive it.
Catalog catalog_of(const std::vector<ObjectiveSpec>& objectives) {
  return {objectives, small_catalog().backbones, small_catalog().probes, small_catalog().heads,
          "box"};
}

class PreviewOfAnArm : public testing::Test {
 protected:
  PreviewRequest request(const std::string& arm, std::int64_t count = 4) const {
    return {.file = file, .arm = arm, .count = count, .set = {}, .text = {}, .tokens = {}};
  }

  /// A request for an arm with this objective, of the same name.
  PreviewRequest request_with(const std::string& objective) const {
    Json experiment = small_experiment();
    experiment["arms"][1] = {{"name", objective}, {"set", {{"objective", {{"type", objective}}}}}};
    experiment["baseline"] = "plain";
    return {.file = folder.write(objective + ".json", experiment.dump()), .arm = objective};
  }

  std::string refusal(const PreviewRequest& asked) const {
    try {
      preview(small_catalog(), asked);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }

  testing_support::PlanFolder folder;
  std::filesystem::path file = folder.write("e.json", small_experiment().dump(2));
};

// Nothing is compared, so the file of one arm needs no baseline for another.
TEST_F(PreviewOfAnArm, IsOfANewArmBesideASingleOne) {
  Json experiment = small_experiment();
  experiment["arms"] = {{{"name", "plain"}, {"set", {{"objective", {{"type", "plain"}}}}}}};
  for (const char* key : {"baseline", "analysis"}) experiment.erase(key);
  file = folder.write("one.json", experiment.dump());
  const Preview made =
      preview(small_catalog(), request("new:objective.type=hide,objective.rate=0.3"));
  EXPECT_EQ(made.arm, "new");
  EXPECT_EQ(made.intended.at(0).value, 0.3);
}

TEST_F(PreviewOfAnArm, ShowsHeldOutTextsByTheContract) {
  const Json json = to_json(preview(small_catalog(), request("hide[rate=0.30]", 6)));
  EXPECT_EQ(json["arm"], "hide[rate=0.3]");
  ASSERT_EQ(json["examples"].size(), 6u);
  for (const Json& example : json["examples"]) {
    ASSERT_EQ(example["text"].size(), 16u);
    for (std::size_t i = 0; i < 16; ++i) {
      const bool hidden = std::find(example["hidden"].begin(), example["hidden"].end(), i) !=
                          example["hidden"].end();
      EXPECT_EQ(example["inputs"][i], hidden ? Json(4) : example["text"][i]);
      EXPECT_EQ(example["weights"][i].get<float>() > 0, hidden);
      EXPECT_EQ(example["targets"][i], example["text"][i]);
    }
  }
  for (const char* key :
       {"corruption", "prediction", "mask", "random", "keep", "spans", "positions"})
    EXPECT_TRUE(json["realised"].contains(key)) << key;
}

TEST_F(PreviewOfAnArm, RepeatsTextsWithANewRandomIndexEach) {
  PreviewRequest asked = request("hide[rate=0.3]", 200);
  asked.tokens = folder.write("t.json", "[[16,17,18,19,20,21,22,23], [16,17,18]]");
  const Json json = to_json(preview(small_catalog(), asked));
  EXPECT_EQ(json["examples"][0]["text"], Json({16, 17, 18, 19, 20, 21, 22, 23}));
  EXPECT_EQ(json["examples"][1]["text"], Json({16, 17, 18}));
  EXPECT_EQ(json["examples"][198]["text"], json["examples"][0]["text"]);
  EXPECT_NE(json["examples"][198]["hidden"], json["examples"][0]["hidden"]);
  EXPECT_NEAR(json["realised"]["corruption"].get<double>(), 0.3, 0.07);  // 1100 tokens: 5 sigma
  EXPECT_EQ(to_json(preview(small_catalog(), asked)), json);
}

TEST_F(PreviewOfAnArm, StatesWhatEachPositionSees) {
  PreviewRequest asked = request("hide[rate=0.3]", 1);
  asked.tokens = folder.write("t.json", "[[16, 17, 2, 1, 18]]");
  const Json in_place = to_json(preview(small_catalog(), asked))["examples"][0]["attention"];
  EXPECT_EQ(in_place["tokens"].size(), 5u);
  EXPECT_EQ(in_place["from"], Json({0, 0, 0, 3, 3}));  // two documents, isolated
  EXPECT_EQ(in_place["until"], Json({3, 3, 3, 5, 5}));

  asked.arm = "plain";
  asked.tokens = folder.write("t.json", "[[16, 17, 18]]");
  const Json left_to_right = to_json(preview(small_catalog(), asked))["examples"][0]["attention"];
  EXPECT_EQ(left_to_right["from"], Json({0, 0, 0}));
  EXPECT_EQ(left_to_right["until"], Json({1, 2, 3}));
}

TEST_F(PreviewOfAnArm, ComparesIntendedWithRealisedValues) {
  const Preview made = preview(small_catalog(), request("hide[rate=0.30]", 200));
  const Json rows = to_json(made)["intended"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["name"], "corruption");
  EXPECT_EQ(rows[0]["intended"], 0.3);
  EXPECT_EQ(rows[0]["realised"].get<double>(), made.realised.corruption());
  EXPECT_FALSE(realised(made, {"no such thing", 1, 0}).has_value());
  EXPECT_FALSE(realised(made, {"spans", 1, 0}).has_value()) << "not a number";
}

/// An objective by document that records what it is given.
ObjectiveSpec witness_objective() {
  ObjectiveSpec spec = testing_support::plain_objective();
  spec.name = "witness";
  spec.build = [](const Params&, const Context&) {
    Objective objective;
    objective.needs = {.attention = Attention::bidirectional,
                       .alignment = Alignment::in_place,
                       .unit = Unit::document};
    objective.intended = {{"other_length", 3, 0.5}};
    objective.transform = [](const Text& text, Rng) {
      Example example{.inputs = {text.tokens.begin(), text.tokens.end()},
                      .targets = {text.tokens.begin(), text.tokens.end()},
                      .weights = std::vector<float>(text.tokens.size(), 1.0f)};
      const std::int64_t other = text.document == 0 ? 1 : 0;
      const auto length = static_cast<double>(text.other_document(other).tokens.size());
      example.facts = {{"documents", static_cast<double>(text.documents)},
                       {"other_length", length}};
      return std::vector<Example>{example};
    };
    return objective;
  };
  return spec;
}

TEST_F(PreviewOfAnArm, LetsAnObjectiveReadOtherDocumentsOfTheSameText) {
  const std::vector<ObjectiveSpec> objectives = {testing_support::plain_objective(),
                                                 witness_objective()};
  const Catalog one = catalog_of(objectives);
  PreviewRequest asked = request_with("witness");
  asked.count = 2;
  asked.tokens = folder.write("t.json", "[[16, 17, 18, 2, 1, 19, 20]]");
  const Preview of_ids = preview(one, asked);
  EXPECT_EQ(of_ids.examples[0].text, (std::vector<Token>{16, 17, 18, 2}));
  EXPECT_EQ(of_ids.examples[1].text, (std::vector<Token>{1, 19, 20}));
  EXPECT_EQ(of_ids.realised.find("documents")->value(), 2);
  EXPECT_EQ(*realised(of_ids, {"other_length", 3, 0}), 3.5);
  asked.tokens.reset();
  EXPECT_GT(preview(one, asked).realised.find("documents")->value(), 2)
      << "the held-out part has more";
}

TEST_F(PreviewOfAnArm, AppliesFlagsToTheArm) {
  PreviewRequest asked = request("hide[rate=0.3]");
  asked.set = {"objective.rate=0.99", "corpus.vocabulary=6"};
  const Json json = to_json(preview(small_catalog(), asked));
  EXPECT_GT(json["realised"]["corruption"].get<double>(), 0.8);
  asked.set = {"objective.rate=2"};
  EXPECT_EQ(refusal(asked),
            "--set objective.rate=2: error: objective: rate = 2 is outside [0.01, 0.99] (fraction "
            "hidden)");
}

/// An objective that states which length it was built for.
ObjectiveSpec built_objective() {
  ObjectiveSpec spec = testing_support::plain_objective();
  spec.name = "built";
  spec.build = [](const Params&, const Context& context) {
    Objective objective;
    objective.transform = [length = context.text_length](const Text& text, Rng) {
      return std::vector<Example>{{.inputs = {text.tokens.begin(), text.tokens.end()},
                                   .facts = {{"built_for", static_cast<double>(length)}}}};
    };
    return objective;
  };
  return spec;
}

TEST_F(PreviewOfAnArm, UsesTheTrialsOwnObjectiveForTextsThatATrialMayRead) {
  const std::vector<ObjectiveSpec> objectives = {testing_support::plain_objective(),
                                                 built_objective()};
  const Catalog one = catalog_of(objectives);
  PreviewRequest asked = request_with("built");
  const auto built_for = [&](std::size_t tokens) {
    asked.tokens = folder.write("t.json", Json({std::vector<Token>(tokens, 17)}).dump());
    return preview(one, asked).realised.find("built_for")->value();
  };
  EXPECT_EQ(built_for(1), 16) << "a short document";
  EXPECT_EQ(built_for(16), 16);
  EXPECT_EQ(built_for(20), 20) << "longer than any text of the trial";
}

TEST_F(PreviewOfAnArm, ShowsEveryTextOfTrainingDocumentsByTheirNumbers) {
  PreviewRequest asked = request("plain");
  asked.count.reset();
  asked.documents = {2, 5};
  const Preview made = preview(small_catalog(), asked);
  ASSERT_GE(made.examples.size(), 2u);
  for (const Preview::Shown& shown : made.examples)
    EXPECT_FALSE(std::ranges::search(made.corpus.training().tokens, shown.text).empty())
        << "a text of the training part";
  std::set<std::size_t> sources;
  for (const Preview::Shown& shown : made.examples) sources.insert(shown.source);
  EXPECT_EQ(sources.size(), made.examples.size()) << "each once";
  asked.documents = {2, 1'000'000};
  EXPECT_THAT(refusal(asked), HasSubstr("--documents 1000000: no training text"));
}

TEST_F(PreviewOfAnArm, RefusesInvalidIds) {
  PreviewRequest asked = request("plain");
  const auto refused = [&](const std::string& text) {
    asked.tokens = folder.write("t.json", text);
    return refusal(asked);
  };
  EXPECT_THAT(refused("[[16, 24]]"),
              HasSubstr("text 0: 24 is not an id of text; they are 0 to 23"));
  EXPECT_THAT(refused("[[16], [-1]]"), HasSubstr("text 1: -1 is not an id of text"));
  EXPECT_THAT(refused("[[1.5]]"), HasSubstr("1.5 is not an id of text"));
  EXPECT_THAT(refused("[[18446744073709551615]]"), HasSubstr("is not an id of text"));
  EXPECT_THAT(refused("[[]]"), HasSubstr("text 0 is not an array of at least one id"));
  for (const char* none : {"", "[]", "3", "{}", "[[16]"})
    EXPECT_THAT(refused(none), HasSubstr("is not a JSON array of arrays")) << none;
  EXPECT_THAT(refused(std::string(1'000'000, '[')), HasSubstr("is nested"));
}

TEST_F(PreviewOfAnArm, ReadsAGivenTextAsACorpusWould) {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "This is line " + std::to_string(i) + ".\n";
  folder.write("lines.txt", lines);
  Json experiment = small_experiment();
  experiment["corpus"] = {{"kind", "text"}, {"paths", {"lines.txt"}}, {"documents", "lines"}};
  PreviewRequest asked = request("plain", 1);
  asked.file = folder.write("text.json", experiment.dump());
  asked.text = folder.write("given.txt",
                            "\xEF\xBB\xBF"
                            "a\r\nb\xE9\n");
  const std::vector<Token> cleaned = {
      1,         16 + 'a',  16 + '\n', 16 + 'b',
      16 + 0xEF, 16 + 0xBF, 16 + 0xBD, 2};  // U+FFFD, and no line break at the end
  const Preview made = preview(small_catalog(), asked);
  EXPECT_EQ(made.examples.at(0).text, cleaned);
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("not UTF-8 are read as U+FFFD: 1 in all")));
  asked.text = folder.write("blank.txt", "\n");
  EXPECT_THAT(refusal(asked), HasSubstr("blank.txt: holds no text"));
  asked.text = folder.write("wide.txt",
                            "\xFF\xFE"
                            "a");
  EXPECT_THROW(preview(small_catalog(), asked), std::runtime_error);
}

TEST_F(PreviewOfAnArm, RefusesWhatItCannotShow) {
  EXPECT_THAT(
      refusal(request("hid")),
      HasSubstr(
          "--arm hid: no arm has this name; the arms are: plain, hide[rate=0.15], hide[rate=0.3]"));
  EXPECT_EQ(refusal(request("plain", 0)), "--count 0: is outside [1, 100000]");
  PreviewRequest asked = request("plain");
  asked.text = folder.write("t.txt", "some words");
  EXPECT_THAT(refusal(asked),
              HasSubstr("this corpus consists of ids, not letters; give ids with --tokens"));
}

}  // namespace
}  // namespace ablate::plan
