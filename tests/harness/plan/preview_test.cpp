#include "harness/plan/preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/plan/small_catalog.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::Folder;
using testing_support::small_catalog;
using testing_support::small_experiment;

class PreviewOfAnArm : public testing::Test {
 protected:
  PreviewRequest request(const std::string& arm, std::int64_t count = 4) const {
    return {.file = file, .arm = arm, .count = count, .set = {}, .text = {}, .tokens = {}};
  }

  std::string refusal(const PreviewRequest& asked) const {
    try {
      preview(small_catalog(), asked);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }

  Folder folder;
  std::filesystem::path file = folder.write("e.json", small_experiment().dump(2));
};

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

TEST_F(PreviewOfAnArm, TakesTextsInTurnWithARandomIndexEach) {
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

TEST_F(PreviewOfAnArm, LaysFlagsOverTheArm) {
  PreviewRequest asked = request("hide[rate=0.3]");
  asked.set = {"objective.rate=0.99", "corpus.vocabulary=6"};
  const Json json = to_json(preview(small_catalog(), asked));
  EXPECT_GT(json["realised"]["corruption"].get<double>(), 0.8);
  asked.set = {"objective.rate=2"};
  EXPECT_EQ(refusal(asked),
            "--set objective.rate=2: error: objective: rate = 2 is outside [0.01, 0.99] (fraction "
            "hidden)");
}

TEST_F(PreviewOfAnArm, RebuildsTheObjectiveForOtherLengths) {
  PreviewRequest asked = request("hide[rate=0.3]");
  asked.set = {"objective.sentinels=10"};
  asked.tokens = folder.write("t.json", "[[16,17,18]]");
  EXPECT_EQ(refusal(asked), "sentinels = 10 is more than the text has tokens");
}

TEST_F(PreviewOfAnArm, RefusesIdsThatAreNone) {
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

TEST_F(PreviewOfAnArm, RefusesWhatItCannotShow) {
  EXPECT_THAT(
      refusal(request("hid")),
      HasSubstr(
          "--arm hid: no arm of that name; there are: plain, hide[rate=0.15], hide[rate=0.3]"));
  EXPECT_EQ(refusal(request("plain", 0)), "--count 0: is outside [1, 100000]");
  PreviewRequest asked = request("plain");
  asked.text = folder.write("t.txt", "some words");
  EXPECT_THAT(refusal(asked),
              HasSubstr("the built-in language has ids and no letters; give ids with --tokens"));
}

}  // namespace
}  // namespace ablate
