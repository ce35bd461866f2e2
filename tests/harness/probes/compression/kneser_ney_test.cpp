// Laws of the n-gram model: it is a distribution, it is what the formulas say, and a worked example.

#include "harness/probes/compression/kneser_ney_spec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "harness/base/rng.h"

namespace ablate::probes {
namespace {

using Tokens = std::vector<Token>;

/// Documents of random length and tokens, the early ones more often.
Tokens random_documents(std::uint64_t seed, int documents, Token ordinary) {
  Rng rng(seed);
  Tokens tokens;
  for (int i = 0; i < documents; ++i) {
    tokens.push_back(begin_token);
    for (std::int64_t left = rng.below(12); left > 0; --left)
      tokens.push_back(special_count + static_cast<Token>(rng.below(rng.below(ordinary) + 1)));
    tokens.push_back(end_token);
  }
  return tokens;
}

/// The end token and the ordinary ones.
Tokens vocabulary_of(Token ordinary) {
  Tokens all = {end_token};
  for (Token token = 0; token < ordinary; ++token) all.push_back(special_count + token);
  return all;
}

/// Histories of up to `length` tokens, with and without a begin token before them.
std::vector<Tokens> histories_of(const Tokens& vocabulary, std::size_t length) {
  std::vector<Tokens> all = {{}, {begin_token}};
  for (std::size_t first = 0; all.back().size() < length;) {
    const std::size_t end = all.size();
    for (; first < end; ++first)
      for (const Token token : vocabulary) {
        if (token == end_token) continue;
        all.push_back(all[first]);
        all.back().push_back(token);
      }
  }
  return all;
}

TEST(KneserNey, SumsToOneAfterEveryHistory) {
  const Tokens vocabulary = vocabulary_of(4);
  for (std::size_t order = 1; order <= KneserNey::kMaxOrder; ++order)
    for (const int documents : {0, 1, 40}) {
      const KneserNey model(random_documents(order, documents, 4), order, std::ssize(vocabulary));
      for (const Tokens& history : histories_of(vocabulary, 5)) {
        double sum = 0;
        for (const Token token : vocabulary) {
          const double probability = model.probability(history, token);
          EXPECT_GT(probability, 0);
          sum += probability;
        }
        ASSERT_NEAR(sum, 1, 1e-12) << order << " " << documents;
      }
    }
}

/// The same by maps and the formulas of the header, one n-gram at a time.
class Naive {
 public:
  Naive(const Tokens& tokens, std::size_t order, double vocabulary)
      : order_(order), vocabulary_(vocabulary), counts_(order + 1), before_(order + 1) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] == begin_token) start = i;
      for (std::size_t n = 1; n <= order && i != start && i + 1 >= start + n; ++n) {
        const auto last = tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        const Tokens gram(last - static_cast<std::ptrdiff_t>(n), last);
        ++counts_[n][gram];
        if (gram.front() != begin_token)
          before_[n][gram].insert(*(last - static_cast<std::ptrdiff_t>(n) - 1));
      }
    }
    for (std::size_t n = 1; n <= order; ++n) {
      std::array<double, 4> counted{};
      for (const auto& [gram, ignored] : counts_[n])
        if (const double c = count(gram); c <= 4) ++counted[static_cast<std::size_t>(c) - 1];
      discounts_.push_back(discounts_of(counted));
    }
  }

  double probability(const Tokens& history, Token token) const {
    const std::size_t n = std::min(history.size(), order_ - 1);
    return level(Tokens(history.end() - static_cast<std::ptrdiff_t>(n), history.end()), token);
  }

 private:
  double count(const Tokens& gram) const {
    const std::size_t n = gram.size();
    if (n == order_ || gram.front() == begin_token)
      return counts_[n].contains(gram) ? counts_[n].at(gram) : 0;
    return before_[n].contains(gram) ? static_cast<double>(before_[n].at(gram).size()) : 0;
  }

  double discounted(std::size_t n, double count) const {
    const Discounts& d = discounts_[n - 1];
    return count == 0 ? 0 : count == 1 ? d.one : count == 2 ? d.two : d.more;
  }

  double level(const Tokens& history, Token token) const {
    const std::size_t n = history.size() + 1;
    const double lower = history.empty() ? 1 / vocabulary_
                                         : level(Tokens(history.begin() + 1, history.end()), token);
    double total = 0, left = 0, own = 0;
    for (const auto& [gram, ignored] : counts_[n]) {
      if (!std::equal(history.begin(), history.end(), gram.begin())) continue;
      const double c = count(gram), d = discounted(n, c);
      total += c;
      left += d;
      if (gram.back() == token) own = c - d;
    }
    return total == 0 ? lower : (own + left * lower) / total;
  }

  std::size_t order_;
  double vocabulary_;
  std::vector<std::map<Tokens, double>> counts_;
  std::vector<std::map<Tokens, std::set<Token>>> before_;
  std::vector<Discounts> discounts_;
};

TEST(KneserNey, IsWhatTheFormulasSay) {
  const Tokens vocabulary = vocabulary_of(5);
  for (const std::size_t order : {2u, 3u, 5u}) {
    const Tokens text = random_documents(7, 60, 5);
    const KneserNey model(text, order, std::ssize(vocabulary));
    const Naive naive(text, order, static_cast<double>(vocabulary.size()));
    for (const Tokens& history : histories_of(vocabulary, 3))
      for (const Token token : vocabulary)
        ASSERT_NEAR(model.probability(history, token), naive.probability(history, token), 1e-12);
  }
}

// The three sentences of Chen & Goodman 1999, section 1.1, by hand as bigrams. READ is followed by A
// twice and by MOBY once. 17 kinds of bigrams end in one word each: three in READ, three at an end,
// two in BOOK, one in each of nine other words. None of the numbers of n-grams with a count of three
// is above 0, so that the discounts are a half, 1 and 1.5. There are 11 words and the end.
TEST(KneserNey, AgreesWithAnExampleByHand) {
  const char* const sentences[] = {"JOHN READ MOBY DICK", "MARY READ A DIFFERENT BOOK",
                                   "SHE READ A BOOK BY CHER"};
  std::map<std::string, Token> ids;
  Tokens text;
  for (const std::string sentence : sentences) {
    text.push_back(begin_token);
    for (std::size_t at = 0; at < sentence.size();) {
      const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
      const auto id = ids.emplace(sentence.substr(at, end - at),
                                  special_count + static_cast<Token>(ids.size()));
      text.push_back(id.first->second);
      at = end + 1;
    }
    text.push_back(end_token);
  }
  ASSERT_EQ(ids.size(), 11u);
  const KneserNey model(text, 2, 12);
  // The nine words lose a half each, BOOK 1, READ and the end 1.5 each: 8.5 of 17.
  const double left = (9 * 0.5 + 1 + 2 * 1.5) / 17;
  const double a = 0.5 / 17 + left / 12, book = 1.0 / 17 + left / 12, cher = a;
  const Tokens read = {ids.at("READ")}, just_a = {ids.at("A")};
  EXPECT_DOUBLE_EQ(model.probability({}, ids.at("A")), a);
  EXPECT_DOUBLE_EQ(model.probability(read, ids.at("A")), 1.0 / 3 + (1 + 0.5) / 3 * a);
  EXPECT_DOUBLE_EQ(model.probability(read, ids.at("CHER")), (1 + 0.5) / 3 * cher);
  EXPECT_DOUBLE_EQ(model.probability(just_a, ids.at("BOOK")), 0.5 / 2 + (0.5 + 0.5) / 2 * book);
  EXPECT_DOUBLE_EQ(model.probability(Tokens{begin_token}, ids.at("JOHN")),
                   0.5 / 3 + 3 * 0.5 / 3 * a);
}

TEST(KneserNey, TakesItsDiscountsFromTheCountsOfCounts) {
  // Y = 8 / (8 + 2 * 4) = 1/2.
  const Discounts found = discounts_of({8, 4, 2, 1});
  EXPECT_TRUE(found.estimated);
  EXPECT_DOUBLE_EQ(found.one, 1 - 2 * 0.5 * 4 / 8);
  EXPECT_DOUBLE_EQ(found.two, 2 - 3 * 0.5 * 2 / 4);
  EXPECT_DOUBLE_EQ(found.more, 3 - 4 * 0.5 * 1 / 2);
  for (const std::array<double, 4> few : {std::array<double, 4>{}, {8, 4, 0, 1}, {8, 2, 9, 1}}) {
    EXPECT_FALSE(discounts_of(few).estimated);
    EXPECT_EQ(discounts_of(few).one, 0.5);
  }
}

TEST(KneserNey, ReadsNoFurtherBackThanItsOrder) {
  const KneserNey model(random_documents(3, 40, 4), 3, 5);
  const Tokens near = {17, 18}, far = {16, 19, 17, 18};
  EXPECT_EQ(model.probability(near, 16), model.probability(far, 16));
  EXPECT_NE(model.probability(near, 16), model.probability(Tokens{18}, 16));
}

TEST(KneserNey, CodesATextAtTheBitsOfItsTokens) {
  const KneserNey model(random_documents(3, 40, 4), 3, 5);
  const Tokens one = {begin_token, 17, 16}, other = {begin_token, 18};
  const std::vector<std::span<const Token>> documents = {one, other};
  const double probability = model.probability(Tokens{begin_token}, 17) *
                             model.probability(Tokens{begin_token, 17}, 16) *
                             model.probability(Tokens{begin_token}, 18);
  EXPECT_NEAR(code_length(model, documents), -std::log2(probability), 1e-12);
}

}  // namespace
}  // namespace ablate::probes
