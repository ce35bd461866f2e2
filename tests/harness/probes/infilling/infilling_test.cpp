// Infilling: texts are compared exactly, and blanks are asked for in the arm's own format.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/probes/infilling/infill_files_spec.h"
#include "harness/probes/infilling/text_match.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/cloze/asking.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(TextMatch, IgnoresWhiteSpaceAtTheEndAlone) {
  EXPECT_TRUE(exact_match("a b \n", "a b"));
  EXPECT_FALSE(exact_match(" a b", "a b"));
  EXPECT_TRUE(exact_match("\n", ""));
  EXPECT_TRUE(exact_match("a b\u00A0\u3000", "a b")) << "white space of any script";
  EXPECT_FALSE(exact_match("a\xA0", "a")) << "no UTF-8";
  EXPECT_TRUE(first_line_match("\na \nb", "a\nc"));
  EXPECT_FALSE(first_line_match("b\na", "a\na"));
}

// kitten and sitting: three edits of seven bytes.
TEST(TextMatch, CountsEdits) {
  EXPECT_DOUBLE_EQ(edit_similarity("kitten", "sitting"), 1 - 3.0 / 7);
  EXPECT_DOUBLE_EQ(edit_similarity("sitting", "kitten"), 1 - 3.0 / 7);
  EXPECT_EQ(edit_similarity("", ""), 1);
  EXPECT_EQ(edit_similarity("", "ab"), 0);
  EXPECT_EQ(edit_similarity("ab", "ab"), 1);
  EXPECT_DOUBLE_EQ(edit_similarity("жук", "сук"), 1 - 1.0 / 3) << "characters, not bytes";
  EXPECT_DOUBLE_EQ(edit_similarity("a\xFF", "a\xFE"), 0.5);
}

class Infilling : public ::testing::Test {
 protected:
  Infilling() : folder_(scratch_folder("infilling")) {}
  ~Infilling() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_ / "a.jsonl") << text;
    return folder_ / "a.jsonl";
  }

  Measurement measured_by(const std::string& objective, const Oracle::Rule& rule,
                          std::int64_t context = 24,
                          const data::Corpus& corpus = byte_corpus()) const {
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("infilling");
    Json probe =
        spec.prepare(Params(spec.params, {{"path", "a.jsonl"}}),
                     {.folder_of = [this](const std::string&) { return folder_; },
                      .cache = folder_ / "cache",
                      .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
    probe["type"] = "infilling";
    Oracle network(rule);
    plan::Trial trial = trial_of({{"type", objective}}, "isolated", context);
    trial.shape = {context, 0};
    return measured_on_text(corpus, trial, network, probe, folder_ / "cache");
  }

  std::filesystem::path folder_;
};

const char* const kProblems =
    "{\"prompt\": \"xa\", \"canonical_solution\": \"aa\", \"suffix\": \"y\"}\n"
    "{\"prompt\": \"xb\", \"canonical_solution\": \"bc\", \"suffix\": \"y\"}\n"
    "{\"prompt\": \"x\", \"canonical_solution\": \"\", \"suffix\": \"y\"}\n";

/// Repeats the token before.
std::vector<double> repeats(const Seen& seen) {
  std::vector<double> logits(16 + 256, 0.0);
  const std::size_t before = seen.row[seen.place] == mask_token ? seen.place - 1 : seen.place;
  logits[static_cast<std::size_t>(seen.row[before])] = 50;
  return logits;
}

TEST_F(Infilling, FindsWhatAModelFills) {
  file(kProblems);
  for (const char* objective : {"causal_lm", "masked_lm"}) {
    const Measurement m = measured_by(objective, repeats);
    EXPECT_EQ(m.details.at("problems"), 2) << objective;
    EXPECT_EQ(m.details.at("empty"), 1);
    EXPECT_EQ(m.metrics.at("infilling.exact_match"), 0.5) << objective;
    EXPECT_EQ(m.metrics.at("infilling.edit_similarity"), 0.75) << objective;
    EXPECT_EQ(m.metrics.at("infilling.first_line"), 0.5);
    EXPECT_EQ(m.samples.size(), 2u);
  }
}

// Every byte costs log2 of the vocabulary, whatever is shown.
TEST_F(Infilling, CostsTheVocabularyUnderAConstantModel) {
  file(kProblems);
  const Measurement m = measured_by("causal_lm", uniform_rule({.ordinary = 256}));
  EXPECT_NEAR(m.metrics.at("infilling.bits_per_byte"), std::log2(16 + 256), 1e-6);
  EXPECT_NEAR(m.metrics.at("infilling.gain_of_right"), 0, 1e-12);
  EXPECT_NEAR(m.metrics.at("infilling.untrained_bits_per_byte"), std::log2(16 + 256), 1e-6)
      << "the fixture's untrained model is uniform";
  EXPECT_EQ(m.metrics.at("infilling.untrained_edit_similarity"), 0) << "it ends blanks at once";
  EXPECT_EQ(m.metrics.at("infilling.untrained_exact_match"), 0);
}

/// Writes the middle of "a|b\né|" from the second token on: knows each byte by the one before it.
std::vector<double> spells(const Seen& seen) {
  static const std::string kText = "ab\n\xC3\xA9\n";
  std::vector<double> logits(16 + 256, 0.0);
  const auto before = static_cast<char>(seen.row[seen.place] - special_count);
  const std::size_t at = kText.find(before);
  logits[special_count + static_cast<unsigned char>(kText[(at + 1) % kText.size()])] = 50;
  return logits;
}

// The middle has a newline, and a character of two bytes, each of which is a token of its own.
TEST_F(Infilling, ComparesAndCountsTheTextItself) {
  file(
      "{\"prompt\": \"a\", \"canonical_solution\": \"b\\n\u00e9\", \"suffix\": \"y\"}\n"
      "{\"prompt\": \"a\", \"canonical_solution\": \"b\\n\", \"suffix\": \"\"}\n");
  const Measurement exact = measured_by("causal_lm", spells);
  EXPECT_EQ(exact.metrics.at("infilling.exact_match"), 1);
  EXPECT_EQ(exact.samples.size(), 2u);
  for (const Json& sample : exact.samples)
    EXPECT_THAT(sample.at("text").get<std::string>(), ::testing::AnyOf("b\n\u00e9", "b\n"));

  const auto uniform = uniform_rule({.ordinary = 256});
  EXPECT_NEAR(measured_by("causal_lm", uniform).metrics.at("infilling.bits_per_byte"),
              std::log2(16 + 256), 1e-6);

  // "b" is right, and what follows on its line and the next one is not.
  const Measurement partly = measured_by("causal_lm", [](const Seen& seen) {
    std::vector<double> logits = spells(seen);
    if (seen.row[seen.place] == special_count + '\n') logits[special_count + 'z'] = 100;
    if (static_cast<unsigned char>(seen.row[seen.place] - special_count) == 0xC3)
      logits[special_count + 'z'] = 100;
    if (seen.row[seen.place] == special_count + 'z') logits[special_count + 'z'] = 100;
    return logits;
  });
  EXPECT_EQ(partly.metrics.at("infilling.exact_match"), 0.5);
  EXPECT_EQ(partly.metrics.at("infilling.first_line"), 1);
  EXPECT_EQ(partly.metrics.at("infilling.edit_similarity"), 0.75);
}

TEST_F(Infilling, AsksInTheOrderOfThePartsThatIsBetterOnHeldOutDocuments) {
  file(kProblems);
  std::vector<Token> document = {begin_token};
  document.resize(10, 16 + 'a');
  document.push_back(end_token);
  const data::Corpus corpus = byte_corpus(document);
  for (const char* order : {"spm", "psm"}) {
    const Measurement m =
        measured_by("fill_in_the_middle", knowing(order, {.ordinary = 256}), 24, corpus);
    EXPECT_EQ(m.details.at("order").at("chosen"), order);
    EXPECT_EQ(m.details.at("order").at("development_documents"), 1);
    EXPECT_NEAR(m.metrics.at("infilling.bits_per_byte"), std::log2(256), 1e-6) << order;
    for (const char* asked : {"spm", "psm"})
      EXPECT_NEAR(m.metrics.at(fmt::format("infilling.{}_bits_per_byte", asked)),
                  std::log2(asked == std::string(order) ? 256 : 16 + 256), 1e-6);
    EXPECT_GT(m.metrics.at("infilling.with_stop_bits_per_byte"), 100) << "a stop is no text";
    EXPECT_EQ(m.samples.at(0).at("text"), std::string(2, '\0')) << "the first of equal bytes";
  }
}

TEST_F(Infilling, HasAStopWhereTheFormatHasOne) {
  file(kProblems);
  const auto uniform = uniform_rule({.ordinary = 256});
  constexpr auto kStop = "infilling.with_stop_bits_per_byte";
  EXPECT_NEAR(measured_by("fill_in_the_middle", uniform).metrics.at(kStop),
              1.5 * std::log2(16 + 256), 1e-6)
      << "a stop for every two bytes";
  for (const char* without : {"causal_lm", "masked_lm", "denoising"})
    EXPECT_FALSE(measured_by(without, uniform).metrics.contains(kStop)) << without;
}

TEST_F(Infilling, CutsLongTextsAroundTheBlank) {
  const std::string left(100, 'l'), right(100, 'r');
  file("{\"prompt\": \"" + left + "aa\", \"canonical_solution\": \"aa\", \"suffix\": \"" + right +
       "\"}\n{\"prompt\": \"\", \"canonical_solution\": \"" + left + "\", \"suffix\": \"\"}\n");
  const Measurement m = measured_by("masked_lm", repeats);
  EXPECT_EQ(m.details.at("problems"), 1);  // the other middle is too long
  EXPECT_EQ(m.metrics.at("infilling.exact_match"), 1);
  EXPECT_EQ(m.samples.at(0).at("about").at("prompt").get<std::string>().back(), 'a');
}

TEST_F(Infilling, FilesAreRefusedWithFileLineAndReason) {
  EXPECT_THROW(read_problems(file("\n")), std::runtime_error);
  try {
    read_problems(file("{\"prompt\": \"a\", \"suffix\": \"b\"}"));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.jsonl:1: has no 'canonical_solution'"));
  }
}

}  // namespace
}  // namespace ablate::probes
