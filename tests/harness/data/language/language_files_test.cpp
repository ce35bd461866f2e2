// The exported language: its text is that of the corpus, and its optimum adds up.

#include "harness/data/language/language_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "harness/base/json/json.h"

namespace ablate::data {
namespace {

Params few_tokens() {
  return Params(language_params(), {{"topics", 2},
                                    {"states", 4},
                                    {"vocabulary", 8},
                                    {"document_length", 12},
                                    {"sentence_length", 4},
                                    {"tokens", 1000},
                                    {"held_out_tokens", 1000}});
}

const std::string& bytes_of(const std::vector<LanguageFile>& files, const std::string& name) {
  return std::find_if(files.begin(), files.end(),
                      [&](const auto& file) { return file.name == name; })
      ->bytes;
}

std::vector<Json> lines_of(const std::string& bytes) {
  std::vector<Json> lines;
  std::istringstream text(bytes);
  for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(Npy, HasAHeaderOfWholeBlocksAndTheValues) {
  const std::string bytes = npy(std::vector<Token>{1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t header =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ((10 + header) % 64, 0u);
  EXPECT_EQ(bytes[10 + header - 1], '\n');
  EXPECT_NE(bytes.find("'descr': '<i4', 'fortran_order': False, 'shape': (2, 3, )"),
            std::string::npos);
  ASSERT_EQ(bytes.size(), 10 + header + 24);
  Token last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 4, 4);
  EXPECT_EQ(last, 6);
}

TEST(LanguageFiles, HoldTheTextThatArmsAreTrainedOn) {
  const auto files = language_files(few_tokens());
  const CorpusContent corpus = draw_corpus(Language(few_tokens()), few_tokens());
  for (const auto& [name, part] :
       {std::pair{"training", &corpus.training}, std::pair{"held_out", &corpus.held_out}}) {
    std::vector<Token> tokens;
    for (const Json& line : lines_of(bytes_of(files, std::string(name) + ".jsonl"))) {
      const auto own = line.at("tokens").get<std::vector<Token>>();
      tokens.insert(tokens.end(), own.begin(), own.end());
      EXPECT_EQ(line.at("states").size() + 1, own.size());
    }
    EXPECT_EQ(tokens, part->tokens);
    EXPECT_EQ(bytes_of(files, std::string(name) + ".npy"), npy(tokens, {std::ssize(tokens)}));
  }
}

// The chain rule: what each token costs given those before it is what the document costs.
TEST(LanguageFiles, StateAnOptimumThatAddsUp) {
  const auto files = language_files(few_tokens());
  double filtering = 0, smoothing = 0;
  for (const Json& line : lines_of(bytes_of(files, "held_out.jsonl"))) {
    double cost = 0;
    for (const Json& token : line.at("filtering")) cost += token.get<double>();
    EXPECT_NEAR(cost, -line.at("log_probability").get<double>(), 1e-9);
    filtering += cost;
    for (const Json& token : line.at("smoothing")) smoothing += token.get<double>();
    double topics = 0;
    for (const Json& topic : line.at("topic_posterior")) topics += topic.get<double>();
    EXPECT_NEAR(topics, 1, 1e-9);
  }
  EXPECT_LT(smoothing, filtering);
}

TEST(LanguageFiles, DescribeEveryArray) {
  const auto files = language_files(few_tokens());
  const Json description = Json::parse(bytes_of(files, "language.json"));
  for (const LanguageFile& file : files) {
    if (!file.name.ends_with(".npy")) continue;
    EXPECT_TRUE(description.at("arrays").contains(file.name)) << file.name;
  }
  const Json line = lines_of(bytes_of(files, "held_out.jsonl")).front();
  for (const auto& [key, value] : line.items())
    EXPECT_TRUE(description.at("lines").contains(key)) << key;
}

}  // namespace
}  // namespace ablate::data
