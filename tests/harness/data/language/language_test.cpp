#include "harness/data/language/language.h"
#include "harness/contract/example.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "harness/data/language/language_chain.h"

namespace ablate::data {
namespace {

Params params(const Json& dials = Json::object()) { return Params(language_params(), dials); }
Language language(const Json& dials = Json::object()) { return Language(params(dials)); }

/// Dials that between them use every part of the construction.
std::vector<Json> varied() {
  return {Json::object(),
          {{"sentence_length", 0}},
          {{"topic_signal", "words"}, {"memory", 0.3}},
          {{"names", 5}, {"stages", 3}, {"states", 9}},
          {{"names", 3}, {"sentence_length", 0}, {"states", 2}, {"vocabulary", 4}, {"floor", 0}},
          {{"sharpness", 5}, {"states", 40}, {"vocabulary", 200}, {"ambiguity", 1}},
          {{"topics", 1}, {"sharpness", 0}, {"sentence_length", 2}, {"document_length", 3}},
          {{"document_length", 100000}, {"stages", 2}},
          {{"names", 3}, {"stages", 2}, {"picture", Json::object()}},
          {{"sentence_length", 0}, {"picture", {{"patches", 1}, {"values", 2}, {"noise", 0}}}}};
}

double sum(const double* first, std::size_t count) {
  return std::accumulate(first, first + count, 0.0);
}

TEST(Language, IsALawWhateverItsDials) {
  for (const Json& dials : varied()) {
    const Chain chain = language(dials).chain();
    const auto n = static_cast<std::size_t>(chain.states);
    const auto width = static_cast<std::size_t>(chain.ordinary);
    double probabilities = 0, masses = 0;
    for (const Chain::Block& block : chain.blocks)
      probabilities += block.probability, masses += block.mass;
    EXPECT_NEAR(probabilities, 1, 1e-12) << dials;
    EXPECT_NEAR(masses, 1, 1e-12) << dials;
    EXPECT_NEAR(sum(chain.stationary.data(), chain.stationary.size()), 1, 1e-12) << dials;
    for (std::size_t block = 0; block < chain.blocks.size(); ++block) {
      EXPECT_NEAR(sum(chain.start.data() + block * n, n), 1, 1e-12) << dials;
      EXPECT_NEAR(sum(chain.stationary.data() + block * n, n), chain.blocks[block].mass, 1e-12)
          << dials;
      for (std::size_t state = 0; state < n; ++state) {
        const std::size_t z = block * n + state;
        const double expected = state + 1 < n ? 1 : 0;
        ASSERT_NEAR(sum(chain.transition.data() + z * n, n), expected, 1e-12) << dials << " " << z;
        ASSERT_NEAR(sum(chain.emission.data() + z * width, width), expected, 1e-12)
            << dials << " " << z;
      }
    }
    for (const auto* values : {&chain.start, &chain.stationary, &chain.transition, &chain.emission})
      for (const double value : *values) ASSERT_GE(value, 0) << dials;
  }
}

TEST(Language, StaysInItsStationaryLaw) {
  for (const Json& dials : varied()) {
    const Chain chain = language(dials).chain();
    const auto n = static_cast<std::size_t>(chain.states);
    double ends = 0;
    for (std::size_t block = 0; block < chain.blocks.size(); ++block)
      ends += chain.stationary[block * n + n - 1];
    for (std::size_t block = 0; block < chain.blocks.size(); ++block)
      for (std::size_t to = 0; to < n; ++to) {
        double next = ends * chain.blocks[block].probability * chain.start[block * n + to];
        for (std::size_t from = 0; from < n; ++from)
          next +=
              chain.stationary[block * n + from] * chain.transition[(block * n + from) * n + to];
        ASSERT_NEAR(next, chain.stationary[block * n + to], 1e-12) << dials;
      }
    const auto patches = static_cast<double>(chain.patches);
    EXPECT_NEAR(1 / ends, params(dials).number("document_length") + patches, 1e-6 / ends) << dials;
  }
}

/// The distribution of the word at each of the first positions of a document of a topic, [position,
/// ordinary].
std::vector<double> words_by_position(const Chain& chain, std::size_t block,
                                      std::size_t positions) {
  const auto n = static_cast<std::size_t>(chain.states),
             width = static_cast<std::size_t>(chain.ordinary);
  const double* const start = chain.start.data() + block * n;
  std::vector<double> distribution(start, start + n);
  std::vector<double> words;
  for (std::size_t t = 0; t < positions; ++t) {
    std::vector<double> here(width, 0.0), next(n, 0.0);
    for (std::size_t z = 0; z < n; ++z) {
      for (std::size_t v = 0; v < width; ++v)
        here[v] += distribution[z] * chain.emission[(block * n + z) * width + v];
      for (std::size_t to = 0; to < n; ++to)
        next[to] += distribution[z] * chain.transition[(block * n + z) * n + to];
    }
    words.insert(words.end(), here.begin(), here.end());
    distribution = next;
  }
  return words;
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(std::isfinite(a[i]) && std::isfinite(b[i])) << i;  // a maximum would skip a NaN
    distance = std::max(distance, std::abs(a[i] - b[i]));
  }
  return distance;
}

TEST(Language, TellsTopicsApartByOrderAlone) {
  for (const Json& dials :
       {Json::object(), Json{{"memory", 0.5}, {"stages", 3}}, Json{{"sharpness", 5}}}) {
    const Chain chain = language(dials).chain();
    const auto first = words_by_position(chain, 0, 20);
    for (std::size_t topic = 1; topic < chain.blocks.size(); ++topic)
      EXPECT_LT(farthest(first, words_by_position(chain, topic, 20)), 1e-12) << dials;
  }
}

TEST(Language, TellsTopicsApartByWordsWhereAsked) {
  const Chain chain = language({{"topic_signal", "words"}}).chain();
  for (std::size_t topic = 1; topic < 4; ++topic)
    EXPECT_GT(farthest(words_by_position(chain, 0, 5), words_by_position(chain, topic, 5)), 0.01);
  const auto n = static_cast<std::ptrdiff_t>(chain.states);
  EXPECT_TRUE(std::equal(chain.transition.begin(), chain.transition.begin() + n * n,
                         chain.transition.begin() + n * n));
}

TEST(Language, HasTopicsThatDifferAsMuchAsAsked) {
  for (const char* signal : {"order", "words"}) {
    double last = -1;
    for (const double contrast : {0.0, 0.1, 0.5, 1.0}) {
      const Chain chain =
          language({{"topic_signal", signal}, {"topic_contrast", contrast}}).chain();
      double difference = 0;  // between the first topic and the last
      for (const auto* rows : {&chain.transition, &chain.emission})
        for (std::size_t i = 0, last_topic = rows->size() * 3 / 4; i < rows->size() / 4; ++i)
          difference += std::abs((*rows)[i] - (*rows)[last_topic + i]);
      EXPECT_GT(difference, last) << signal << " " << contrast;
      EXPECT_EQ(difference == 0, contrast == 0) << signal;
      last = difference;
    }
  }
}

TEST(Language, LetsTheTopicBeToldFromOneDocument) {
  const Language built_in = language();
  int right = 0, documents = 0;
  for (std::uint64_t i = 0; documents < 200; ++i) {
    const auto document = built_in.document(Rng(1, Stream::probes, 0, i));
    if (document.tokens.size() < 61) continue;
    ++documents;
    const auto distribution =
        topic_posterior(built_in.chain(), std::span(document.tokens).subspan(1, 60), true);
    right += std::max_element(distribution.begin(), distribution.end()) - distribution.begin() ==
             document.topic;
  }
  EXPECT_GE(right, 198);
}

TEST(Language, ShowsTopicAndNameInAPictureBeforeTheText) {
  const Json dials = {{"names", 3}, {"picture", {{"patches", 4}, {"values", 50}, {"noise", 0.25}}}};
  const Language with = language(dials), without = language({{"names", 3}});
  const auto& chain = with.chain();
  EXPECT_EQ(chain.patches, 4);
  EXPECT_EQ(chain.ordinary, without.chain().ordinary + 50);
  const Token first_patch = special_count + without.chain().ordinary;
  // The patch that a place shows most often, by the number of topic or name that it is of.
  std::map<std::pair<int, int>, std::map<Token, int>> shown;
  int documents = 0;
  for (std::uint64_t i = 0; i < 3000; ++i, ++documents) {
    const auto document = with.document(Rng(3, Stream::corpus, 0, i));
    ASSERT_GT(document.tokens.size(), 6u);
    for (int place = 0; place < 4; ++place) {
      const auto at = static_cast<std::size_t>(place + 1);
      ASSERT_GE(document.tokens[at], first_patch);
      ASSERT_EQ(document.marks[at], word_mark | patch_mark);
      ++shown[{place, place % 2 == 0 ? document.topic : 100 + document.name}][document.tokens[at]];
    }
    for (std::size_t at = 5; at < document.tokens.size(); ++at) {
      ASSERT_LT(document.tokens[at], first_patch) << "text has no patches";
      ASSERT_EQ(document.marks[at] & patch_mark, 0);
    }
    EXPECT_EQ(document.marks[5], word_mark | sentence_mark);
  }
  EXPECT_EQ(shown.size(), 2u * 4 + 2u * 3);
  std::map<int, std::set<Token>> usual_at;  // by place
  for (const auto& [of, patches] : shown) {
    int all = 0, most = 0;
    for (const auto& [patch, times] : patches) {
      all += times;
      most = std::max(most, times);
    }
    EXPECT_NEAR(most / static_cast<double>(all), 0.75 + 0.25 / 50, 0.06);
    const auto usual =
        std::ranges::max_element(patches, {}, [](const auto& each) { return each.second; });
    EXPECT_TRUE(usual_at[of.first].insert(usual->first).second) << "two look alike at a place";
  }
}

// The text of a language with pictures is that of the language without: pictures add to it.
TEST(Language, HasTheSameTextBehindItsPictures) {
  const Chain with = language({{"picture", Json::object()}}).chain(), without = language().chain();
  const auto n = static_cast<std::size_t>(without.states),
             m = static_cast<std::size_t>(with.states);
  const auto last_patch = m - 2;
  for (std::size_t state = 0; state + 1 < n; ++state) {
    EXPECT_EQ(with.transition[last_patch * m + state], without.start[state]);
    for (std::size_t to = 0; to + 1 < n; ++to)
      EXPECT_EQ(with.transition[state * m + to], without.transition[state * n + to]);
    EXPECT_EQ(with.transition[state * m + m - 1], without.transition[state * n + n - 1]);
  }
}

TEST(Language, KnowsTheTokensOfItsNames) {
  EXPECT_TRUE(language().names().empty());
  const Language named = language({{"names", 4}});
  ASSERT_EQ(named.names().size(), 4u);
  std::map<Token, int> seen;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto document = named.document(Rng(3, Stream::corpus, 0, i));
    for (const Token token : document.tokens)
      seen[token] += token == named.names()[static_cast<std::size_t>(document.name)];
  }
  for (const Token name : named.names()) EXPECT_GT(seen[name], 100) << "documents show their names";
}

TEST(DoublyStochastic, HasRowsAndColumnsThatSumToOne) {
  for (const double sharpness : {0.0, 3.5, 5.0})
    for (const std::int64_t states : {1, 2, 12, 96}) {
      const auto n = static_cast<std::size_t>(states);
      Rng rng(3);
      std::vector<double> weights(n * n);
      for (double& weight : weights) weight = std::exp(sharpness * rng.normal());
      const auto matrix = doubly_stochastic(weights, n);
      for (std::size_t i = 0; i < n; ++i) {
        double column = 0;
        for (std::size_t row = 0; row < n; ++row) column += matrix[row * n + i];
        ASSERT_NEAR(column, 1, 1e-12) << sharpness << " " << states;
        ASSERT_NEAR(sum(matrix.data() + i * n, n), 1, 1e-12);
      }
    }
}

/// Draws, and how often each outcome was expected given how often its cause was drawn.
struct Count {
  double drawn = 0, expected = 0, variance = 0;
};

TEST(Language, DrawsWhatItsChainSays) {
  const Language drawn_from =
      language({{"names", 2}, {"states", 6}, {"vocabulary", 12}, {"stages", 2}});
  const Chain& chain = drawn_from.chain();
  const auto n = static_cast<std::size_t>(chain.states),
             width = static_cast<std::size_t>(chain.ordinary);
  std::map<std::size_t, double> visits;                           // by composite state
  std::map<std::pair<std::size_t, std::size_t>, double> emitted;  // state, word
  std::map<std::pair<std::size_t, std::size_t>, double> moved;    // state, next
  std::vector<double> blocks(chain.blocks.size()), tokens(width + 1);
  constexpr int kDocuments = 4000;
  double total = 0, squares = 0;
  for (std::uint64_t i = 0; i < kDocuments; ++i) {
    const auto document = drawn_from.document(Rng(2, Stream::corpus, 0, i));
    const auto block = static_cast<std::size_t>(document.topic * 2 + document.name);
    ++blocks[block];
    const double length = static_cast<double>(document.states.size());
    total += length;
    squares += length * length;
    for (std::size_t t = 0; t + 1 < document.states.size(); ++t) {
      const std::size_t z = block * n + static_cast<std::size_t>(document.states[t]);
      ++visits[z];
      ++emitted[{z, static_cast<std::size_t>(document.tokens[t + 1] - special_count)}];
      ++moved[{z, static_cast<std::size_t>(document.states[t + 1])}];
    }
  }
  // A count given its cause is binomial: 5 sigma, and 1 for the rare ones.
  const auto expect_near = [](double drawn, double draws, double p) {
    EXPECT_NEAR(drawn, draws * p, 5 * std::sqrt(draws * p * (1 - p)) + 1);
  };
  for (std::size_t block = 0; block < blocks.size(); ++block)
    expect_near(blocks[block], kDocuments, chain.blocks[block].probability);
  for (const auto& [z, times] : visits) {
    for (std::size_t word = 0; word < width; ++word)
      expect_near(emitted[{z, word}], times, chain.emission[z * width + word]);
    for (std::size_t to = 0; to < n; ++to)
      expect_near(moved[{z, to}], times, chain.transition[z * n + to]);
  }
  const double mean = total / kDocuments;
  EXPECT_NEAR(mean, 60,
              5 * std::sqrt((squares / kDocuments - mean * mean) / kDocuments));  // 5 sigma
}

TEST(Language, MarksDocumentsAndSentences) {
  const Language marked = language({{"names", 4}, {"stages", 3}, {"floor", 0}});
  const std::int64_t per_stage = 12, names_from = 64 - 4 - 1, period = 63;
  double sentences = 0, tokens = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto document = marked.document(Rng(3, Stream::corpus, 0, i));
    ASSERT_EQ(document.tokens.size(), document.marks.size());
    ASSERT_EQ(document.tokens.size(), document.states.size() + 1);
    ASSERT_EQ(document.tokens.front(), begin_token);
    ASSERT_EQ(document.tokens.back(), end_token);
    ASSERT_EQ(document.marks.front(), special_mark);
    ASSERT_EQ(document.marks.back(), special_mark);
    bool starts = true;
    for (std::size_t t = 1; t + 1 < document.tokens.size(); ++t) {
      const std::int64_t word = document.tokens[t] - special_count, state = document.states[t - 1];
      ASSERT_EQ(document.marks[t], starts ? word_mark | sentence_mark : word_mark);
      starts = state % per_stage == per_stage - 1;
      ASSERT_EQ(starts, word == period);
      ASSERT_EQ(state % per_stage == 0,
                word >= names_from && word < period);  // one slot of 11 states
      if (state % per_stage == 0) {
        ASSERT_EQ(word - names_from, document.name);
      }
      if (t > 1) {
        ASSERT_GE(state / per_stage, document.states[t - 2] / per_stage) << "a stage went back";
      }
      sentences += starts;
      ++tokens;
    }
    ASSERT_TRUE(starts) << "a document ended inside a sentence";
  }
  EXPECT_NEAR(tokens / sentences, 12, 5 * 12 / std::sqrt(sentences));  // 5 sigma
}

TEST(Language, IsAPureFunctionOfItsDials) {
  const Language first = language(), again = language(), other = language({{"seed", 2}});
  EXPECT_EQ(first.chain().transition, again.chain().transition);
  EXPECT_NE(first.chain().transition, other.chain().transition);
  const Rng rng(4, Stream::corpus, 0, 17);
  EXPECT_EQ(first.document(rng).tokens, again.document(rng).tokens);
}

TEST(DrawCorpus, KeepsDocumentsWholeAndPartsApart) {
  const Json dials = {{"tokens", 20000}, {"held_out_tokens", 5000}};
  const auto content = draw_corpus(language(dials), params(dials));
  for (const auto& [part, wanted] :
       {std::pair(&content.training, 20000), {&content.held_out, 5000}}) {
    ASSERT_EQ(part->tokens.size(), part->marks.size());
    EXPECT_EQ(part->tokens.front(), begin_token);
    EXPECT_EQ(part->tokens.back(), end_token);
    const auto begins = std::count(part->tokens.begin(), part->tokens.end(), begin_token);
    EXPECT_EQ(begins, part->documents);
    EXPECT_EQ(std::count(part->tokens.begin(), part->tokens.end(), end_token), part->documents);
    const auto emitted = std::ssize(part->tokens) - begins;
    EXPECT_GE(emitted, wanted);
    const auto last = std::find(part->tokens.rbegin(), part->tokens.rend(), begin_token);
    EXPECT_LT(emitted - (last - part->tokens.rbegin()), wanted) << "a document too many";
  }
  EXPECT_FALSE(std::equal(content.held_out.tokens.begin(), content.held_out.tokens.begin() + 100,
                          content.training.tokens.begin()));
  EXPECT_EQ(content.ordinary, 64);
  EXPECT_EQ(content.about.at("params"), params(dials).json());
}

TEST(DrawCorpus, DrawsTheSameTextFirstWhenMoreIsAskedFor) {
  const Json little = {{"tokens", 2000}}, more = {{"tokens", 8000}};
  const auto first = draw_corpus(language(little), params(little)).training.tokens;
  const auto longer = draw_corpus(language(more), params(more)).training.tokens;
  EXPECT_TRUE(std::equal(first.begin(), first.end(), longer.begin()));
}

TEST(DrawCorpus, DrawsTheTextThatItsVersionPromises) {
  // Where this fails, results of the same dials would differ: raise kLanguageVersion, then the
  // golden.
  const auto tokens = language({{"names", 2}}).document(Rng(1, Stream::corpus, 0, 0)).tokens;
  EXPECT_EQ(kLanguageVersion, 1);
  EXPECT_EQ(std::vector<Token>(tokens.begin(), tokens.begin() + 20),
            (std::vector<Token>{1,  32, 38, 29, 46, 55, 77, 79, 77, 44,
                                29, 26, 33, 77, 74, 22, 28, 22, 28, 54}));
}

void expect_refusal(const Json& dials, std::string_view what) {
  try {
    language(dials);
    FAIL() << dials << " was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string_view(error.what()).find(what), std::string_view::npos) << error.what();
  }
}

TEST(Language, RefusesDialsThatDoNotGoTogether) {
  expect_refusal({{"vocabulary", 10}}, "vocabulary = 10 leaves 9 words");
  expect_refusal({{"names", 60}}, "raise vocabulary, or lower states or names");
  expect_refusal({{"names", 100}}, "leaves 0 words");
  expect_refusal({{"sentence_length", 1}}, "accepted: 0 (no sentences), or 2 and more");
  expect_refusal({{"sentence_length", 60}}, "shorter than one sentence");
  expect_refusal({{"sentence_length", 0}, {"stages", 2}},
                 "give sentences a length, or set stages to 1");
  expect_refusal({{"states", 2}, {"names", 2}}, "at least 3 are needed");
  expect_refusal({{"topics", 64}, {"names", 1024}, {"vocabulary", 2048}},
                 "the language is too large");
  expect_refusal({{"stages", 16}, {"states", 256}, {"vocabulary", 300}},
                 "the language is too large");
  expect_refusal({{"topics", 0}}, "topics = 0 is outside [1, 64]");
}

}  // namespace
}  // namespace ablate::data
