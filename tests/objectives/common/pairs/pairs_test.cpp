#include "objectives/common/pairs/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/objectives/vectors.h"

namespace ablate::objectives {
namespace {

struct Document {
  std::vector<Token> tokens;
  std::vector<std::uint8_t> marks;
};

/// A begin token, sentences of these lengths with distinct tokens, and an end token.
Document document_of(const std::vector<int>& sentences, Token first) {
  Document document{{begin_token}, {special_mark}};
  for (const int length : sentences)
    for (int i = 0; i < length; ++i) {
      document.tokens.push_back(first++);
      document.marks.push_back(i == 0 ? word_mark | sentence_mark : word_mark);
    }
  document.tokens.push_back(end_token);
  document.marks.push_back(special_mark);
  return document;
}

/// Documents whose tokens identify their document: ids of document d start at 1000 d + 16.
class Documents {
 public:
  explicit Documents(std::vector<std::vector<int>> sentences) {
    for (const auto& lengths : sentences)
      all_.push_back(document_of(lengths, static_cast<Token>(1000 * all_.size()) + 16));
  }
  explicit Documents(std::vector<Document> all) : all_(std::move(all)) {}

  std::int64_t count() const { return std::ssize(all_); }
  const Document& at(std::int64_t number) const { return all_[static_cast<std::size_t>(number)]; }

  Text text(std::int64_t number) const {
    Text text{.tokens = at(number).tokens, .marks = at(number).marks, .document = number};
    text.documents = count();
    text.other_document = [this](std::int64_t other) {
      return Passage{at(other).tokens, at(other).marks};
    };
    return text;
  }

 private:
  std::vector<Document> all_;
};

/// 60 documents with up to the given number of sentences of 1 to 9 tokens.
Documents mixed(std::int64_t maximum, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<std::vector<int>> all(60);
  for (auto& lengths : all) {
    lengths.resize(1 + static_cast<std::size_t>(rng.below(maximum)));
    for (int& length : lengths) length = 1 + static_cast<int>(rng.below(9));
  }
  return Documents(all);
}

std::vector<Token> words_of(const Pair& pair, std::size_t from, std::size_t until) {
  std::vector<Token> words;
  for (std::size_t i = from; i < until; ++i)
    if (pair.tokens[i] >= special_count) words.push_back(pair.tokens[i]);
  return words;
}

std::vector<Token> first_of(const Pair& pair) {
  return words_of(pair, 0, pair.second > 0 ? pair.second : pair.tokens.size());
}
std::vector<Token> second_of(const Pair& pair) {
  return pair.second > 0 ? words_of(pair, pair.second, pair.tokens.size()) : std::vector<Token>{};
}

std::vector<Token> joined(std::vector<Token> a, const std::vector<Token>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Token> words_of(const Document& document) {
  std::vector<Token> words;
  for (const Token token : document.tokens)
    if (token >= special_count) words.push_back(token);
  return words;
}

double five_sigma(double draws, double p) { return 5 * std::sqrt(draws * p * (1 - p)); }

TEST(Pairs, KeepTheTextInThePartsThatTheLabelNames) {
  const Documents documents = mixed(6);
  for (const PairKind kind : {PairKind::none, PairKind::nsp, PairKind::sop})
    for (const bool by_sentence : {true, false})
      for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const std::int64_t number = static_cast<std::int64_t>(seed) % documents.count();
        const auto words = words_of(documents.at(number));
        const Pair pair =
            paired({.kind = kind, .by_sentence = by_sentence}, documents.text(number), Rng(seed));
        const auto first = first_of(pair), second = second_of(pair);
        if (kind == PairKind::none) {
          ASSERT_EQ(pair.label, unpaired_label);
        }
        if (pair.label == broken_label && kind == PairKind::sop) {
          ASSERT_EQ(joined(second, first), words);
          continue;
        }
        if (pair.label != broken_label) {
          ASSERT_EQ(joined(first, second), words);
          continue;
        }
        ASSERT_TRUE(std::equal(first.begin(), first.end(), words.begin()));
        ASSERT_EQ(first.size() + second.size(), words.size());
        const std::int64_t other = second.front() / 1000;
        ASSERT_NE(other, number);
        const auto others = words_of(documents.at(other));
        ASSERT_NE(std::search(others.begin(), others.end(), second.begin(), second.end()),
                  others.end());
      }
}

TEST(Pairs, StandBetweenTheTokensOfTheFormat) {
  const Documents documents = mixed(6);
  for (const PairKind kind : {PairKind::none, PairKind::nsp, PairKind::sop})
    for (const Negatives negatives : {Negatives::balanced, Negatives::reference})
      for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Text text = documents.text(static_cast<std::int64_t>(seed) % documents.count());
        const Pair pair = paired({kind, negatives, true}, text, Rng(seed));
        const std::size_t size = pair.tokens.size();
        ASSERT_LE(size, text.tokens.size() + 3);
        ASSERT_EQ(pair.marks.size(), size);
        ASSERT_EQ(pair.places.size(), size);
        EXPECT_EQ(pair.tokens[0], classify_token);
        EXPECT_EQ(pair.tokens[1], begin_token);
        EXPECT_EQ(pair.tokens[size - 2], end_token);
        EXPECT_EQ(pair.tokens[size - 1], separator_token);
        EXPECT_EQ(std::count(pair.tokens.begin(), pair.tokens.end(), separator_token),
                  pair.second > 0 ? 2 : 1);
        if (pair.second > 0) {
          EXPECT_EQ(pair.tokens[pair.second - 1], separator_token);
        }
        for (std::size_t i = 0; i < size; ++i) {
          EXPECT_EQ((pair.marks[i] & special_mark) != 0, pair.tokens[i] < special_count);
          const std::int32_t place = pair.places[i];
          if (place >= 0 && pair.tokens[i] / 1000 == text.document) {
            EXPECT_EQ(text.tokens[static_cast<std::size_t>(place)], pair.tokens[i]);
          }
        }
        std::set<std::int32_t> places(pair.places.begin(), pair.places.end());
        places.erase(-1);
        EXPECT_EQ(std::ssize(places),
                  std::ssize(pair.places) - std::count(pair.places.begin(), pair.places.end(), -1))
            << "two tokens stand in one place";
      }
}

TEST(Pairs, CutAndReplaceSentencesWhole) {
  const Documents documents = mixed(6);
  for (const PairKind kind : {PairKind::none, PairKind::nsp, PairKind::sop})
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const Text text = documents.text(static_cast<std::int64_t>(seed) % documents.count());
      const Pair pair = paired({.kind = kind}, text, Rng(seed));
      EXPECT_TRUE(pair.marks[2] & sentence_mark);
      if (pair.second > 0) {
        EXPECT_TRUE(pair.marks[pair.second] & sentence_mark);
      }
    }
}

TEST(Pairs, CutAnywhereWithoutMarks) {
  std::vector<Token> tokens = {16, 17, 18, 19, 20};
  std::map<std::size_t, int> cuts;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    const Pair pair = paired({.kind = PairKind::none}, {.tokens = tokens}, Rng(seed));
    EXPECT_TRUE(pair.marks.empty());
    ++cuts[first_of(pair).size()];
  }
  EXPECT_EQ(cuts.size(), 4u);
  for (const auto& [at, times] : cuts) EXPECT_NEAR(times, 2500, five_sigma(10000, .25)) << at;
}

// Conformance: .5 within .01 on documents of one to three sentences.
TEST(Pairs, HaveAFairLabelThatLengthsDoNotTell) {
  const Documents documents = mixed(3, 5);
  for (const PairKind kind : {PairKind::nsp, PairKind::sop}) {
    double labelled = 0, broken = 0, first_longer[2] = {};
    for (std::uint64_t seed = 0; seed < 60000; ++seed) {
      const Text text = documents.text(static_cast<std::int64_t>(seed) % documents.count());
      const Pair pair = paired({.kind = kind}, text, Rng(seed));
      if (pair.label == unpaired_label) continue;
      ++labelled;
      broken += pair.label;
      first_longer[pair.label] += first_of(pair).size() > second_of(pair).size();
    }
    EXPECT_NEAR(broken / labelled, 0.5, 0.01);
    // Given the text, the distribution of lengths is the same for both labels in next sentence
    // prediction, and mirrored in sentence order prediction, where sentences are exchangeable up to
    // the 60 documents that were drawn.
    const double tolerance = kind == PairKind::nsp ? 0.015 : 0.2;
    EXPECT_NEAR(first_longer[1] / broken, first_longer[0] / (labelled - broken), tolerance);
  }
}

TEST(Pairs, OfOneTextHaveTheSameLengthsUnderBothLabels) {
  const Documents documents({{3, 5, 2}, {4, 4, 4}, {2, 9}, {7}});
  std::map<std::size_t, double> lengths[2];
  double labelled = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Pair pair = paired({.kind = PairKind::nsp}, documents.text(0), Rng(seed));
    if (pair.label == unpaired_label) continue;
    ++labelled;
    ++lengths[pair.label][second_of(pair).size()];
  }
  for (const auto& [length, times] : lengths[0])
    EXPECT_NEAR(times, lengths[1][length], five_sigma(labelled, .25) * 2) << length;
}

TEST(Pairs, ReplaceBySegmentsThatAreEquallyLikely) {
  // Segments of two tokens that start a sentence: one of document 1, two of document 2.
  const Documents documents({{1, 2}, {2}, {2, 2}});
  std::map<Token, int> starts;
  int random = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Pair pair = paired({.kind = PairKind::nsp}, documents.text(0), Rng(seed));
    ASSERT_NE(pair.label, unpaired_label);
    if (pair.label == broken_label) ++random, ++starts[second_of(pair).front()];
  }
  EXPECT_NEAR(starts[1016], random * .5, five_sigma(random, .5));
  EXPECT_NEAR(starts[2016], random * .25, five_sigma(random, .25));
  EXPECT_NEAR(starts[2018], random * .25, five_sigma(random, .25));
}

TEST(Pairs, AreNoneInTextsTooShort) {
  const Documents documents({{1}, {4}, {4}});
  const std::vector<Token> end = {end_token}, one = {16}, none = {begin_token, end_token};
  for (const PairKind kind : {PairKind::none, PairKind::nsp, PairKind::sop})
    for (const Negatives negatives : {Negatives::balanced, Negatives::reference}) {
      for (const auto& tokens : {end, one, none}) {
        Text text = documents.text(0);
        text.tokens = tokens, text.marks = {};
        const Pair pair = paired({kind, negatives, true}, text, Rng(1));
        EXPECT_EQ(pair.label, unpaired_label);
        EXPECT_EQ(pair.second, 0u);
        EXPECT_EQ(pair.tokens.size(), tokens.size() + 2);
      }
      // No other document can be read.
      Text alone = documents.text(1);
      alone.other_document = nullptr;
      if (kind == PairKind::nsp) {
        EXPECT_EQ(paired({kind, negatives, true}, alone, Rng(1)).label, unpaired_label);
      }
    }
}

TEST(Pairs, DependOnTextAndRandomNumbersAlone) {
  const Documents documents = mixed(6);
  for (const Negatives negatives : {Negatives::balanced, Negatives::reference})
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Text text = documents.text(static_cast<std::int64_t>(seed) % documents.count());
      const PairSettings settings{PairKind::nsp, negatives, true};
      const Pair one = paired(settings, text, Rng(seed)), two = paired(settings, text, Rng(seed));
      EXPECT_EQ(one.tokens, two.tokens);
      EXPECT_EQ(one.label, two.label);
    }
}

TEST(ReferencePairs, TileADocumentButForWhatRandomPairsLeave) {
  const std::vector<std::size_t> sentences = {20, 7, 31, 20, 9, 40, 40, 12};
  for (const PairKind kind : {PairKind::nsp, PairKind::sop})
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      std::size_t next = 0;
      for (const ReferencePair& pair : reference_pairs(sentences, 60, kind, Rng(seed))) {
        ASSERT_EQ(pair.first, next);
        ASSERT_LT(pair.first, pair.cut);
        ASSERT_LE(pair.cut, pair.last);
        ASSERT_EQ(pair.random || pair.cut < pair.last, true);
        ASSERT_FALSE(pair.random && pair.swapped);
        ASSERT_FALSE(pair.swapped && kind == PairKind::nsp);
        ASSERT_LE(pair.target, 60u);
        next = pair.random ? pair.cut : pair.last;
      }
      ASSERT_EQ(next, sentences.size());
    }
}

Json vectors() { return vectors_of("pairs"); }

// Conformance: single sentences make only random pairs, and short documents mostly random ones.
TEST(ReferencePairs, AreRandomAsOftenAsBertsAre) {
  const Json profile = vectors()["reference_profile"];
  const auto maximum = profile["most_tokens_of_a_pair"].get<std::size_t>();
  for (const auto& [count, fraction] : profile["random_share_by_sentences"].items()) {
    const std::vector<std::size_t> sentences(std::stoul(count),
                                             profile["sentence_tokens"].get<std::size_t>());
    double random = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 40000; ++seed)
      for (const ReferencePair& pair :
           reference_pairs(sentences, maximum, PairKind::nsp, Rng(seed))) {
        random += pair.random;
        ++all;
      }
    EXPECT_NEAR(random / all, fraction.get<double>(), profile["tolerance"].get<double>()) << count;
  }
}

TEST(ReferencePairs, OfOneTextAreDrawnEquallyOften) {
  // Three sentences that fit one pair: the fraction over single draws equals that over all pairs.
  const Documents documents({{20, 20, 20}, {20, 20, 20}, {20, 20, 20}, {20}});
  for (const PairKind kind : {PairKind::nsp, PairKind::sop}) {
    double random = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 40000; ++seed)
      for (const ReferencePair& pair :
           reference_pairs(std::vector<std::size_t>{20, 20, 20}, 60, kind, Rng(seed))) {
        random += pair.random || pair.swapped;
        ++all;
      }
    double broken = 0;
    constexpr int kDraws = 20000;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed)
      broken += paired({kind, Negatives::reference, true}, documents.text(0), Rng(seed)).label;
    EXPECT_NEAR(broken / kDraws, random / all, five_sigma(kDraws, .5) / kDraws + .01);
  }
}

TEST(ReferencePairs, OfOneSentenceAreRandomInSentenceOrderToo) {
  const Documents documents({{12}, {5, 5, 5}, {9}});
  for (const PairKind kind : {PairKind::nsp, PairKind::sop})
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const Pair pair = paired({kind, Negatives::reference, true}, documents.text(0), Rng(seed));
      ASSERT_EQ(pair.label, broken_label);
      ASSERT_LE(first_of(pair).size() + second_of(pair).size(), 12u);
      ASSERT_FALSE(second_of(pair).empty());
      EXPECT_NE(second_of(pair).front() / 1000, 0) << "from the text itself";
    }
}

class FormatVectors : public testing::Test {
 protected:
  static Document document(const Json& tokens, const Json& sentence_starts) {
    Document made{tokens.get<std::vector<Token>>(), {}};
    for (const Token token : made.tokens)
      made.marks.push_back(token < special_count ? special_mark : word_mark);
    for (const Json& start : sentence_starts) made.marks[start.get<std::size_t>()] |= sentence_mark;
    return made;
  }

  static Documents documents(const Json& one) {
    std::vector<Document> all = {document(one["text"], one["sentence_starts"])};
    for (const Json& other : one.value("other_documents", Json::array()))
      all.push_back(document(other["tokens"], other["sentence_starts"]));
    return Documents(all);
  }
};

TEST_F(FormatVectors, AreWhatPairsLookLike) {
  const std::map<std::string, PairKind> kinds = {
      {"none", PairKind::none}, {"nsp", PairKind::nsp}, {"sop", PairKind::sop}};
  const Json cases = vectors()["format"];
  for (const Json& one : cases) {
    const Documents given = documents(one);
    std::map<Token, std::set<std::vector<Token>>> expected, seen;
    for (const auto& [label, inputs] : one["inputs_by_label"].items())
      expected[std::stoi(label)].insert(inputs.get<std::vector<Token>>());
    for (const Json& inputs : one.value("inputs_of_label_1_are_one_of", Json::array()))
      expected[broken_label].insert(inputs.get<std::vector<Token>>());
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Pair pair = paired({.kind = kinds.at(one["kind"])}, given.text(0), Rng(seed));
      seen[pair.label].insert(pair.tokens);
    }
    EXPECT_EQ(seen, expected) << one["about"];
  }
}

}  // namespace
}  // namespace ablate::objectives
