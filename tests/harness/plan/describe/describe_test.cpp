// `ablate describe`, as JSON and as text.

#include "harness/plan/describe/describe.h"
#include "harness/plan/describe/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <set>

#include "experiments/catalog.h"
#include "experiments/field_words.h"
#include "harness/base/error.h"
#include "harness/plan/describe/find_named.h"
#include "harness/plan/file/shipped.h"
#include "harness/store/plan/stored_bound.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate::plan {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::small_catalog;

Json describe(const Catalog& catalog, const std::string& name) {
  return describe(families_of(catalog), name, field_words());
}

std::string description(const Catalog& catalog, const std::string& name) {
  return description(families_of(catalog), name, field_words());
}

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
  const Families families = families_of(catalog());
  for (const char* family :
       {"objectives", "backbones", "mixers", "feed_forwards", "probes", "corpora", "metrics"}) {
    const std::vector<Entry>& members = families.at(family);
    EXPECT_FALSE(members.empty()) << family;
    EXPECT_EQ(find_named(families, family, {}).family, &members);
    for (const Entry& member : members)
      EXPECT_EQ(find_named(families, member.name, {}).entry, &member) << member.name;
    const Json all = describe(families, family);
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(describe(families, members[i].name), all.at(i));
      EXPECT_THAT(description(families, members[i].name), HasSubstr(members[i].name));
    }
  }
}

TEST(Describe, KnowsEveryHeadAndAnObjectiveBeforeTheHeadOfItsName) {
  const Families families = families_of(catalog());
  const std::vector<Entry>& heads = families.at("prediction_heads");
  ASSERT_EQ(heads.size(), catalog().heads.size());
  for (const Entry& head : heads)
    EXPECT_EQ(find_named(families, "prediction_heads." + head.name, {}).entry, &head) << head.name;
  EXPECT_THAT(description(families, "detection"), HasSubstr("Source: Clark et al. 2020"));
  const Entry* const contrastive = find_named(families, "contrastive", {}).entry;
  ASSERT_NE(contrastive, nullptr);
  EXPECT_NE(std::get<Member>(contrastive->details).objective, nullptr);
}

TEST(Describe, FindsByTheirNamesNoSettingsThatFilesCannotSet) {
  const Families families = families_of(catalog());
  std::vector<std::string> owners;
  for (const Json& setting : describe(families, "temperature")) owners.push_back(setting.at("of"));
  EXPECT_THAT(owners,
              testing::ElementsAre("contrastive", "generation", "prompts", "speculative_decoding"));
  EXPECT_THAT(description(families, "width"), testing::Not(HasSubstr("generator")));
  EXPECT_THAT(description(families, "generator.width"), HasSubstr("fraction of the"));
}

TEST(Describe, TellsWhatAListAcceptsAndASettingOfSeveralOnce) {
  const std::string text = description(catalog(), "model.layers");
  EXPECT_THAT(text,
              HasSubstr("\ndecoder, encoder, encoder_decoder, prefix_decoder, transformer\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "attention|gated_delta|linear_attention|mamba2|rwkv7|rwkv7_channels|sliding_window,\n"));
  EXPECT_EQ(text.find("layers  "), text.rfind("layers  ")) << text;
  const Json told = describe(catalog(), "model.layers");
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.at(0).at("choices"),
            Json({"attention", "gated_delta", "linear_attention", "mamba2", "rwkv7",
                  "rwkv7_channels", "sliding_window"}));
}

TEST(Describe, TellsOfAllWithoutCuttingAWord) {
  const std::string text = description(catalog(), "");
  EXPECT_THAT(text, HasSubstr("  language  the built-in hidden Markov language"));
  EXPECT_THAT(text, HasSubstr("  text      files and folders of your own"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_THAT(text, testing::Not(HasSubstr("held_out.loss"))) << "there are hundreds of metrics";
  EXPECT_THAT(text, HasSubstr("`ablate describe metrics`"));
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
  const Catalog one{objectives, small_catalog().backbones, small_catalog().probes,
                    small_catalog().heads, "box"};
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

std::string refusal(const Families& families, const std::string& name) {
  try {
    describe(families, name, field_words());
    ADD_FAILURE() << name << " was accepted";
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::string refusal(const Catalog& of, const std::string& name) {
  return refusal(families_of(of), name);
}

TEST(Describe, SuggestsNothingWhereNothingIsClose) {
  EXPECT_EQ(refusal(small_catalog(), "something else"),
            "nothing is named 'something else'; `ablate describe` lists all names");
  EXPECT_THAT(refusal(small_catalog(), "intent.accuracy_16"), HasSubstr("with --results DIR"));
}

TEST(Describe, SaysWhatHasASettingOfASimilarName) {
  EXPECT_THAT(
      refusal(catalog(), "rte"),
      HasSubstr(
          "'rate' of fill_in_the_middle, masked_lm, permutation_lm, replaced_token_detection, "
          "replaced_token_prediction?"));
  EXPECT_THAT(refusal(catalog(), "hiding_rate"), HasSubstr("'rate' of fill_in_the_middle"));
  EXPECT_THAT(refusal(catalog(), "spm"), HasSubstr("'spm_form' of fill_in_the_middle?"));
}

/// Of what a word is said to be, whatever its case, spaces and hyphens; words of what is not offered say what
/// is nearest. No word hides a name.
TEST(Describe, KnowsTheWordsOfTheField) {
  const Families families = families_of(catalog());
  const auto told = [&](std::string_view name) {
    return describe(families, std::string(name), field_words());
  };
  const auto printed = [&](std::string_view name) {
    return description(families, std::string(name), field_words());
  };
  std::set<std::string> seen;
  const std::regex experiment("experiment ([a-z_]+)");
  for (const FieldWord& word : field_words()) {
    const std::string name(word.word), note(word.note);
    for (std::sregex_iterator at(note.begin(), note.end(), experiment), end; at != end; ++at)
      EXPECT_TRUE(shipped_file(at->str(1))) << name << ": " << note;
    EXPECT_TRUE(seen.insert(name).second) << name << " twice";
    // In lower case, "clip" is the setting.
    if (name != "CLIP") EXPECT_THROW(find_named(families, name, {}), std::invalid_argument) << name;
    if (word.name.empty()) {
      EXPECT_THAT(refusal(families, name), HasSubstr(std::string(word.note)));
      continue;
    }
    EXPECT_EQ(told(name), told(word.name)) << name;
    std::string written = name;
    for (char& c : written)
      c = c == ' ' ? '-' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    EXPECT_EQ(printed(written), printed(name));
    EXPECT_THAT(printed(name), StartsWith(name + " is "));
  }
  for (const auto& [word, name] : {std::pair{"Masked LM", "masked_lm"},
                                   {"HELD-OUT.loss", "held_out.loss"},
                                   {"Learning rate", "learning_rate"},
                                   {"mlm.rate", "masked_lm.rate"}})
    EXPECT_EQ(told(word), told(name)) << word;
  EXPECT_THAT(refusal(families, "--"), HasSubstr("nothing is named '--'"));
  EXPECT_THAT(refusal(families, "quickstart"), HasSubstr("`ablate plan quickstart`"));
}

TEST(Describe, AnswersTheWordsThatFilesAndCommandLinesHave) {
  for (const auto& [word, family] : {std::pair{"model", "backbones"},
                                     {"arms", "sweep"},
                                     {"objective", "objectives"},
                                     {"corpus", "corpora"}})
    EXPECT_EQ(describe(catalog(), word), describe(catalog(), family)) << word;
  for (const auto& [path, owner] : {std::pair{"train.batch", "train"},
                                    {"train.budget.tokens", "train.budget"},
                                    {"analysis.primary", "analysis"},
                                    {"model.depth", "transformer"},
                                    {"objective.rate", "masked_lm"},
                                    {"probes.generation.samples", "generation"},
                                    {"corpus.tokenizer.vocabulary", "text.tokenizer"},
                                    {"generation.samples", "generation"},
                                    {"batch", "train"}}) {
    const Json told = describe(catalog(), path);
    ASSERT_TRUE(told.is_array()) << path;
    bool has = false;
    for (const Json& setting : told) has = has || setting.at("of") == owner;
    EXPECT_TRUE(has) << path << ": " << told.dump();
    EXPECT_THAT(description(catalog(), path), HasSubstr(owner)) << path;
  }
}

TEST(Describe, KeepsToTheWidthOfTheTerminal) {
  for (const char* name : {"train", "masked_lm", "probes", "metrics", "sweep"}) {
    std::istringstream lines(description(catalog(), name));
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.size() <= 100 || line.rfind(' ', 100) < 60) << line;
  }
}

TEST(Describe, KnowsTheMetricsOfHeadsThatAreNotTheDefault) {
  const Json head = describe(catalog(), "held_out.loss_ahead_8");
  EXPECT_EQ(head["objectives"], Json::array({"multi_token_prediction"}));
  const Json pair = describe(catalog(), "held_out.pair_accuracy");
  EXPECT_EQ(pair["objectives"], Json::array({"masked_lm"}));
  const Json generator = describe(catalog(), "held_out.excess_generator");
  EXPECT_EQ(generator["objectives"],
            Json::array({"replaced_token_detection", "replaced_token_prediction"}));
}

TEST(Describe, KnowsTheMetricsOfAPlan) {
  const Json row = {{"name", "intent.accuracy_16"},
                    {"unit", "fraction"},
                    {"better", "higher"},
                    {"comparable_across", "same objective"},
                    {"meaning", "of 16 labels"}};
  const Json plan = {{"arms",
                      {{{"name", "a"}, {"objective", "masked_lm"}},
                       {{"name", "b"}, {"objective", "masked_lm"}},
                       {{"name", "c"}, {"objective", "causal_lm"}}}},
                     {"metrics", {{"a", {row}}, {"b", {row}}, {"c", Json::array()}}}};
  const Families families = families_of(small_catalog(), plan);
  EXPECT_EQ(description(families, "intent.accuracy_16"),
            "  intent.accuracy_16 [fraction; better: higher; comparable across same objective]\n"
            "      of 16 labels\n");
  Json told = row;
  told["objectives"] = {"masked_lm"};
  EXPECT_EQ(describe(families, "metrics"), Json::array({told}));
  EXPECT_EQ(describe(families, "hide"), describe(small_catalog(), "hide"));
  EXPECT_THROW(families_of(small_catalog(), {{"arms", {{{"name", "a"}}}}}), DamagedFile);
}

TEST(Describe, SaysWhatAMetricIsReadAgainst) {
  const Json row = {
      {"name", "t.accuracy"},
      {"unit", "fraction"},
      {"better", "higher"},
      {"comparable_across", "all arms"},
      {"meaning", "of all"},
      {"bounds", store::bounds_json({Bound::ceiling("t.bayes"), Bound::untrained("t.untrained")})}};
  const Json plan = {{"arms", {{{"name", "a"}, {"objective", "masked_lm"}}}},
                     {"metrics", {{"a", {row}}}}};
  const Families families = families_of(small_catalog(), plan);
  EXPECT_THAT(
      description(families, "t.accuracy"),
      HasSubstr("      read against: t.bayes (ceiling), t.untrained (the untrained model)\n"));
  EXPECT_EQ(describe(families, "metrics")[0]["bounds"], row["bounds"]);
}

TEST(Describe, SaysHowAMetricIsLabelled) {
  EXPECT_THAT(description(catalog(), "topic.accuracy"),
              HasSubstr("topic.accuracy: topic accuracy"));
  for (const Json& metric : describe(catalog(), "metrics")) {  // those of tasks and phases, too
    const std::string label = metric.at("label");
    EXPECT_FALSE(label.empty() || label.find('_') != label.npos) << label;
    EXPECT_TRUE(metric.at("better") == "neither" || label.find(',') == label.npos) << label;
  }
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
