// Overlap of texts: values worked out by hand, and what holds of any two texts.

#include "harness/probes/seq2seq/scores/text_overlap.h"

#include <gtest/gtest.h>

#include "harness/base/rng.h"
#include "harness/probes/seq2seq/scores/written_scores.h"

namespace ablate::probes {
namespace {

/// A text of a few letters, so that two of them overlap.
std::string drawn_text(Rng rng) {
  std::string text;
  for (std::int64_t left = rng.below(20); left > 0; --left) text += "ab c, \xC3\xA9"[rng.below(8)];
  return text;
}

TEST(SquadNormalisation, DropsCasePunctuationArticlesAndSpace) {
  EXPECT_EQ(squad_normalised(" The  U.S.-Army,\n an answer (a) "), "usarmy answer");
  EXPECT_EQ(squad_normalised("Theatre anagram"), "theatre anagram");  // whole words alone
  EXPECT_EQ(squad_normalised("The, a."), "");
  EXPECT_TRUE(same_answer("the Cat.", "cat"));
  EXPECT_FALSE(same_answer("cats", "cat"));
}

TEST(SquadNormalisation, KnowsTheLettersSpacesAndPunctuationOfAllScripts) {
  EXPECT_TRUE(same_answer("ЖУК", "жук"));
  EXPECT_TRUE(same_answer("ΣΊΣΥΦΟΣ", "σίσυφος"));  // of two small sigmas
  EXPECT_TRUE(same_answer("STRASSE", "straße"));
  EXPECT_TRUE(same_answer("ab\u00A0cd", "ab cd"));
  EXPECT_TRUE(same_answer("东京\u3000塔", "东京 塔"));
  EXPECT_TRUE(same_answer("«да», — сказал он…", "да сказал он"));
  EXPECT_FALSE(same_answer("жук", "жуки"));
  EXPECT_EQ(word_f1("ЖУК\u00A0и кот", "жук и пёс"), 2 * 2.0 / 6);
  EXPECT_EQ(squad_normalised("a\xFF"
                             "b"),
            "a\uFFFDb");
}

// "cat sat on mat" and "cat on mats" share two words: 2 * 2 / (4 + 3).
TEST(WordF1, CountsSharedWords) {
  EXPECT_DOUBLE_EQ(word_f1("The cat sat on the mat.", "a cat on mats"), 4.0 / 7);
  EXPECT_DOUBLE_EQ(word_f1("b b b", "b b c"), 2 * 2.0 / 6);  // as multisets
  EXPECT_EQ(word_f1("x", "y"), 0);
}

TEST(WordF1, OfAnEmptyTextIsOneBesideAnotherAlone) {
  EXPECT_EQ(word_f1("", "the"), 1);
  EXPECT_EQ(word_f1("", "x"), 0);
  EXPECT_EQ(word_f1("x", ""), 0);
}

TEST(WordF1, IsSymmetricAndOneOfEqualTexts) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string a = drawn_text(Rng(seed).fork("a")), b = drawn_text(Rng(seed).fork("b"));
    EXPECT_EQ(word_f1(a, b), word_f1(b, a));
    EXPECT_EQ(word_f1(a, a), 1);
  }
}

// "ab" of "abc": unigrams 2 of 2 and 2 of 3, bigrams 1 of 1 and 1 of 2, and no further order that
// both have. Precision 1, recall (2/3 + 1/2) / 2 = 7/12: 5 * 7/12 / (4 + 7/12) = 7/11.
TEST(Chrf, OfAShorterTextIsAsWorkedOutByHand) {
  EXPECT_NEAR(chrf_counts("ab", "abc").score(), 100 * 7.0 / 11, 1e-10);
}

// The reverse: precision 7/12, recall 1: 5 * 7/12 / (4 * 7/12 + 1) = 7/8. The trigram of the text
// is not counted, since the reference has none.
TEST(Chrf, OfALongerTextIsAsWorkedOutByHand) {
  const ChrfCounts counts = chrf_counts("abc", "ab");
  EXPECT_EQ(counts.text[2], 0);
  EXPECT_NEAR(counts.score(), 100 * 7.0 / 8, 1e-10);
}

// n-grams are clipped: of "aaa" two letters and one pair are in "aa". Precision (2/3 + 1/2) / 2.
TEST(Chrf, ClipsRepeatedNgrams) {
  const ChrfCounts counts = chrf_counts("aaa", "aa");
  EXPECT_EQ(counts.shared[0], 2);
  EXPECT_EQ(counts.shared[1], 1);
  EXPECT_NEAR(counts.score(), 100 * 7.0 / 8, 1e-10);
}

TEST(Chrf, IgnoresWhiteSpaceAndCountsCharactersOfUtf8) {
  EXPECT_EQ(chrf_counts("a b\nc", "ab c").score(), 100);
  EXPECT_EQ(chrf_counts("ab\u00A0c\u3000d", "ab c d").score(), 100);
  EXPECT_EQ(chrf_counts("\xC3\xA9", "\xC3\xA9").text[0], 1);
  EXPECT_EQ(chrf_counts("\xC3\xA9", "\xC3\xA8").score(), 0);  // they share a byte
}

TEST(Chrf, IsAHundredOfEqualTextsAndNeverMore) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string a = drawn_text(Rng(seed).fork("a")) + "x",
                      b = drawn_text(Rng(seed).fork("b"));
    EXPECT_NEAR(chrf_counts(a, a).score(), 100, 1e-10) << a;
    const double score = chrf_counts(a, b).score();
    EXPECT_GE(score, 0);
    EXPECT_LE(score, 100 + 1e-10);
  }
  EXPECT_EQ(chrf_counts("", "a").score(), 0);
  EXPECT_EQ(chrf_counts("a", "").score(), 0);
}

// Two texts: unigrams 3 of 4 and 3 of 4, bigrams 1 of 2 and 1 of 2: precision and recall 5/8.
TEST(Chrf, OfACorpusIsOfTheSumsOfItsCounts) {
  ChrfCounts all = chrf_counts("ab", "ab");
  all += chrf_counts("cd", "ce");
  EXPECT_NEAR(all.score(), 100 * 5.0 / 8, 1e-10);
}

TEST(WrittenScores, TakeTheBestAcceptedOutputInAnyOrder) {
  const std::vector<std::string> texts = {"the blue cat", "dog"};
  const WrittenScores scores = written_scores(texts, {{"cat", "blue cat"}, {"cat"}});
  EXPECT_EQ(scores.exact, (std::vector<double>{1, 0}));
  EXPECT_EQ(scores.f1, (std::vector<double>{1, 0}));
  const WrittenScores swapped = written_scores(texts, {{"blue cat", "cat"}, {"cat"}});
  EXPECT_EQ(scores.exact, swapped.exact);
  EXPECT_EQ(scores.f1, swapped.f1);
  EXPECT_EQ(scores.chrf, swapped.chrf);
}

}  // namespace
}  // namespace ablate::probes
