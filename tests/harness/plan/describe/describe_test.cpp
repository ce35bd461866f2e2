// `ablate describe`, as JSON and as text.

#include "harness/plan/describe/describe.h"
#include "harness/plan/describe/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing_support::small_catalog;

TEST(Describe, TellsOfOneMember) {
  EXPECT_EQ(description(small_catalog(), "hide"),
            "hide: some tokens\n"
            "\n"
            "a b -> a ? -> b\n"
            "\n"
            "Source: none\n"
            "\n"
            "Settings: name, default, accepted, description\n"
            "  rate                  0.15          [0.01, 0.99]  fraction hidden\n"
            "  sentinels             0             [0, 100]  that it needs\n"
            "  order                 \"mixed\"       mixed|sorted  of what is hidden\n");
}

TEST(Describe, KnowsEveryMemberOfTheRealFamiliesByName) {
  const Json all = describe(catalog(), "");
  for (const char* family : {"objectives", "backbones", "probes", "corpora", "metrics"}) {
    EXPECT_FALSE(all[family].empty()) << family;
    EXPECT_EQ(describe(catalog(), family), all[family]);
    for (const Json& member : all[family]) {
      const std::string name = member["name"];
      EXPECT_EQ(describe(catalog(), name), member);
      EXPECT_THAT(description(catalog(), name), HasSubstr(name));
    }
  }
}

TEST(Describe, TellsOfAllWithoutCuttingAWord) {
  const std::string text = description(catalog(), "");
  EXPECT_THAT(text, HasSubstr("  language  the built-in hidden Markov language"));
  EXPECT_THAT(text, HasSubstr("  text      files and folders of your own"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  std::string flat;  // wrapped lines joined again
  for (const char c : text)
    if ((c != ' ' && c != '\n') || (!flat.empty() && flat.back() != ' '))
      flat += c == '\n' ? ' ' : c;
  for (const Json& metric : describe(catalog(), "metrics"))
    EXPECT_THAT(flat, HasSubstr(metric["meaning"].get<std::string>()));
}

TEST(Describe, TellsHowAMemberDiffersFromItsSourceAndWhatItsListsHold) {
  ObjectiveSpec mixture = testing_support::plain_objective();
  mixture.name = "mixture";
  mixture.differs =
      "the first thing\nthe second thing, which takes so many words to tell that its "
      "line is longer than a hundred columns";
  mixture.params = {
      list("denoisers", Json::array(),
           {number("share", 1, 0, 1, "how often"), integer("span", 3, 1, 64, "tokens")}, 8,
           "what is mixed"),
      list("paths", Json::array(), {text("", nullptr, "")}, 4, "files")};
  const std::vector<ObjectiveSpec> objectives = {mixture};
  const Catalog one{objectives, small_catalog().backbones, small_catalog().probes, "box"};
  EXPECT_EQ(description(one, "mixture"),
            "mixture: every token\n"
            "\n"
            "a b -> a b\n"
            "\n"
            "Source: none\n"
            "Differs: the first thing\n"
            "Differs: the second thing, which takes so many words to tell that its line is longer "
            "than a hundred\n"
            "         columns\n"
            "\n"
            "Settings: name, default, accepted, description\n"
            "  denoisers             []            at most 8  what is mixed\n"
            "    share               1             [0, 1]  how often\n"
            "    span                3             [1, 64]  tokens\n"
            "  paths                 []            at most 4  files\n");
  const Json told = describe(one, "mixture");
  EXPECT_EQ(told["differs"].size(), 2u);
  EXPECT_EQ(told["params"][0]["params"][1]["range"], Json({1.0, 64.0}));
  EXPECT_FALSE(told["params"][1].contains("params")) << "paths are plain values";
}

TEST(Describe, TellsOfEverySectionOfAFile) {
  const std::pair<const char*, const char*> sections[] = {{"analysis", "smallest_effect"},
                                                          {"match", "tolerance"},
                                                          {"seeds", "seeds"},
                                                          {"tokenizer", "vocabulary"},
                                                          {"sweep", "grid"},
                                                          {"limits", ""},
                                                          {"tuning", "criterion"},
                                                          {"train", "learning_rate"},
                                                          {"phases", "mixture"},
                                                          {"at", "doublings"}};
  for (const auto& [section, setting] : sections) {
    EXPECT_FALSE(describe(catalog(), section).empty()) << section;
    EXPECT_THAT(description(catalog(), section), HasSubstr(setting)) << section;
  }
}

TEST(Describe, NamesTheThreeClosestWhereNoneIsClose) {
  try {
    describe(small_catalog(), "something else");
    FAIL() << "an unknown name was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("nothing is named 'something else'; the closest names are "));
    EXPECT_LT(std::string(error.what()).size(), 160u);
  }
}

TEST(Describe, SaysWhatHasASettingOfThatName) {
  const std::pair<const char*, const char*> asked[] = {
      {"fim_rate", "'rate' of fill_in_the_middle, masked_lm?"},
      {"rate", "'rate' of fill_in_the_middle, masked_lm?"},
      {"rte", "'rate' of fill_in_the_middle, masked_lm?"},
      {"spm", "'spm_form' of fill_in_the_middle?"},
      {"batch", "'batch' of fine_tuning, seq2seq, train?"}};
  for (const auto& [name, setting] : asked) try {
      describe(catalog(), name);
      FAIL() << name << " was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), "nothing is named '" + std::string(name) +
                                  "'; did you mean the setting " + setting);
    }
}

TEST(Describe, KnowsTheMetricsOfHeadsThatAreNotTheDefault) {
  const Json head = describe(catalog(), "held_out.loss_ahead_8");
  EXPECT_EQ(head["objectives"], Json::array({"multi_token_prediction"}));
  const Json pair = describe(catalog(), "held_out.pair_accuracy");
  EXPECT_EQ(pair["objectives"], Json::array({"masked_lm"}));
}

TEST(Describe, SuggestsTheClosestName) {
  try {
    describe(small_catalog(), "hid");
    FAIL() << "a misspelt name was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "nothing is named 'hid'; did you mean 'hide'?");
  }
}

}  // namespace
}  // namespace ablate::plan
