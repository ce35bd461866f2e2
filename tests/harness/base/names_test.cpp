#include "harness/base/names.h"

#include <gtest/gtest.h>

#include "harness/base/rng.h"

namespace ablate {
namespace {

TEST(Edits, CountsLettersAddedDroppedChangedAndSwapped) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("rate", ""), 4u);
  EXPECT_EQ(edit_distance("rate", "rates"), 1u);
  EXPECT_EQ(edit_distance("rate", "rte"), 1u);
  EXPECT_EQ(edit_distance("rate", "rake"), 1u);
  EXPECT_EQ(edit_distance("rate", "rtae"), 1u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);  // no letter is edited twice
}

std::string random_name(Rng& rng) {
  std::string name;
  for (std::int64_t left = rng.below(7); left > 0; --left)
    name += static_cast<char>('a' + rng.below(3));
  return name;
}

TEST(Edits, IsSymmetricAndWithinItsBounds) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const std::string a = random_name(rng), b = random_name(rng);
    const std::size_t count = edit_distance(a, b);
    EXPECT_EQ(count, edit_distance(b, a));
    EXPECT_EQ(count == 0, a == b);
    EXPECT_LE(count, std::max(a.size(), b.size()));
    EXPECT_GE(count, std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
    EXPECT_EQ(edit_distance(a + "x", b + "x"), count);
  }
}

constexpr std::string_view kNames[] = {"causal_lm", "masked_lm", "span_corruption"};

TEST(Nearest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(closest_match("casual_lm", kNames), "causal_lm");
  EXPECT_EQ(closest_match("maskedlm", kNames), "masked_lm");
  EXPECT_EQ(closest_match("span_coruption", kNames), "span_corruption");
  for (const std::string_view name : kNames) EXPECT_EQ(closest_match(name, kNames), name);
}

TEST(Nearest, TakesTheFirstSettingOfTheNameThatIsGiven) {
  constexpr std::string_view kArms[] = {"clm", "mlm[rate=0.15]", "mlm[rate=0.4]"};
  EXPECT_EQ(closest_match("mlm", kArms), "mlm[rate=0.15]");
  EXPECT_EQ(closest_match("cl", kArms), "clm");
}

TEST(Nearest, TakesANameThatIsAPartOfTheGivenOne) {
  constexpr std::string_view kRates[] = {"spm_rate", "rate", "level"};
  EXPECT_EQ(closest_match("fim_rate", kRates), "rate");
  EXPECT_EQ(closest_match("rate_of_fim", kRates), "rate");
  EXPECT_EQ(closest_match("fim_spm_rate", kRates), "spm_rate");
  EXPECT_EQ(closest_match("spn_rate", kRates), "rate") << "a part counts before a misspelling";
  EXPECT_EQ(closest_match("generate", kRates), "") << "not between underscores";
}

TEST(Nearest, TellsWordsFromLetters) {
  for (const std::string_view part : {"spm", "rate", "fim_spm", "spm_rate"})
    EXPECT_TRUE(is_run_of_words(part, "fim_spm_rate")) << part;
  for (const std::string_view part : {"", "sp", "fim_rate", "fim_spm_rate", "_"})
    EXPECT_FALSE(is_run_of_words(part, "fim_spm_rate")) << part;
}

TEST(Nearest, ListsTheClosestFirst) {
  const std::vector<std::string_view> two = {"masked_lm", "causal_lm"};
  EXPECT_EQ(closest_names("maskd_lm", kNames, 2), two);
  EXPECT_EQ(closest_names("x", kNames, 9).size(), 3u);
  EXPECT_TRUE(closest_names("x", {}, 3).empty());
}

TEST(Nearest, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(closest_match("dropout", kNames), "");
  EXPECT_EQ(closest_match("", kNames), "");
  EXPECT_EQ(closest_match(std::string(1'000'000, 'x'), kNames), "");
  EXPECT_EQ(closest_match("x", {}), "");
  constexpr std::string_view kShort[] = {"a", "of"};
  EXPECT_EQ(closest_match("xy", kShort), "") << "a name that shares no letter";
}

TEST(SafeFolderName, IsOneToSixtyFourLettersDigitsHyphensAndUnderscores) {
  EXPECT_TRUE(is_safe_folder_name("1f-A_z"));
  EXPECT_TRUE(is_safe_folder_name(std::string(64, 'a')));
  for (const std::string_view name : {"", ".", "..", "a/b", "a b", "a.b", "\xC3\xA9"})
    EXPECT_FALSE(is_safe_folder_name(name)) << name;
  EXPECT_FALSE(is_safe_folder_name(std::string(65, 'a')));
  EXPECT_FALSE(is_safe_folder_name(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace ablate
