#include "harness/data/tokenizer/tokenizer.h"

#include <gmock/gmock.h>

#include "harness/base/error.h"
#include "harness/base/rng.h"
#include "harness/data/tokenizer/tokenizer_lines.h"
#include "harness/data/tokenizer/tokenizer_sentencepiece.h"
#include "harness/data/tokenizer/tokenizer_train.h"
#include "harness/data/tokenizer/tokenizer_words.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Enough words, English and Korean, for a small vocabulary.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> texts = [] {
    const std::vector<std::string> words = {"the",    "objective", "of",     "masking",  "a",
                                            "model",  "predicts",  "tokens", "학습은",   "언어를",
                                            "모델이", "배운다",    "in",     "context,", "again."};
    Rng rng(3);
    std::vector<std::string> made;
    for (int d = 0; d < 30; ++d) {
      std::string text;
      for (int i = 0; i < 40; ++i)
        text +=
            words[static_cast<std::size_t>(rng.below(15))] + (rng.probability(0.1) ? "\n" : " ");
      made.push_back(text);
    }
    return made;
  }();
  return texts;
}

std::vector<std::string_view> views() { return {texts().begin(), texts().end()}; }

/// Texts that tempt a tokenizer to change them.
std::vector<std::string> awkward() {
  std::vector<std::string> all = texts();
  all.insert(all.end(),
             {"", " ", "  two  spaces  ", "\n\n", "\ttab\t", "a\r\nb\r",
              "lower one eighth \xE2\x96\x81 block", "\xE2\x96\x85", "<unk> <s> </s> <0x41> <mask>",
              "\xEF\xBF\xBD", "\xF0\x9F\x98\x80\xE2\x80\x8D", "e\xCC\x81 \xC3\xA9 \xEF\xAC\x81",
              "\x01\x7F", std::string(100'000, 'x'),
              std::string(kLongestLine - 1, 'x') + "\xED\x95\x9C" + "y\n"});
  return all;
}

/// The tokenizers under test, trained once.
const Tokenizer& tokenizer(const std::string& kind) {
  static const auto bytes = byte_tokenizer();
  static const auto unigram = sentencepiece_tokenizer(train_sentencepiece("unigram", 310, views()));
  static const auto bpe = sentencepiece_tokenizer(train_sentencepiece("bpe", 310, views()));
  static const auto words = words_tokenizer(count_words(266, views()));
  return kind == "bytes" ? *bytes : kind == "bpe" ? *bpe : kind == "words" ? *words : *unigram;
}

class EveryTokenizer : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Tokenizer, EveryTokenizer,
                         testing::Values("bytes", "unigram", "bpe", "words"));

TEST_P(EveryTokenizer, DecodesWhatItEncodedToTheByte) {
  for (const std::string& text : awkward()) {
    std::vector<Token> ids;
    tokenizer(GetParam()).encode(text, ids);
    EXPECT_TRUE(tokenizer(GetParam()).decode(ids) == text) << text.substr(0, 100);
  }
}

TEST_P(EveryTokenizer, UsesOrdinaryIdsAloneAndBytesAddUp) {
  const auto& pieces = tokenizer(GetParam()).pieces();
  for (const std::string& text : awkward()) {
    std::vector<Token> ids;
    tokenizer(GetParam()).encode(text, ids);
    std::size_t bytes = 0;
    for (const Token id : ids) {
      ASSERT_GE(id, special_count);
      ASSERT_LT(id, special_count + static_cast<Token>(pieces.size()));
      bytes += pieces[static_cast<std::size_t>(id - special_count)].size();
    }
    EXPECT_EQ(bytes, text.size());
  }
}

TEST_P(EveryTokenizer, AppendsToWhatIsThere) {
  std::vector<Token> ids = {begin_token};
  tokenizer(GetParam()).encode("a", ids);
  ASSERT_GE(ids.size(), 2u);
  EXPECT_EQ(ids.front(), begin_token);
}

TEST(ByteTokenizer, HasOneIdAByte) {
  std::vector<Token> ids;
  byte_tokenizer()->encode("a\xFF", ids);
  EXPECT_THAT(ids, ElementsAre(16 + 'a', 16 + 255));
  EXPECT_EQ(byte_tokenizer()->pieces().size(), 256u);
}

/// What a text becomes, piece by piece.
std::vector<std::string> pieces_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<Token> ids;
  tokenizer.encode(text, ids);
  std::vector<std::string> pieces;
  for (const Token id : ids) pieces.push_back(tokenizer.decode({&id, 1}));
  return pieces;
}

TEST(WordTokenizer, HasATokenForEachWordWithItsSpaceAndBytesForOthers) {
  const std::vector<std::string_view> documents = {"The fox is red.", "It's here. The fox, so red"};
  const auto words = words_tokenizer(count_words(300, documents));
  EXPECT_THAT(pieces_of(*words, "The fox is red, so"),
              ElementsAre("The", " fox", " is", " red", ",", " so"));
  EXPECT_THAT(pieces_of(*words, "It's  red\nfox."),
              ElementsAre("It's", " ", " red", "\n", "f", "o", "x", "."));
  EXPECT_EQ(words->pieces().size(), 256u + 8) << "no more than there are; no single signs";
}

TEST(WordTokenizer, KeepsTheMostFrequentAndOfEqualOnesTheFirst) {
  const std::vector<std::string_view> documents = {"aa bb bb cc", "bb zz aa cc"};
  const auto words = words_tokenizer(count_words(258, documents));
  EXPECT_THAT(std::vector(words->pieces().begin() + 256, words->pieces().end()),
              ElementsAre(" bb", " cc"));
}

TEST(WordTokenizer, RefusesWhatIsNoListOfWords) {
  for (const char* model : {"\n", "word", "a\n", "word\n\n"})
    EXPECT_THROW(words_tokenizer(model), DamagedFile) << model;
  EXPECT_EQ(words_tokenizer("")->pieces().size(), 256u);
}

TEST(SentencePiece, HasAsManyPiecesAsAskedAndShortensText) {
  for (const std::string kind : {"unigram", "bpe"}) {
    EXPECT_EQ(tokenizer(kind).pieces().size(), 310u);
    std::vector<Token> ids;
    tokenizer(kind).encode(texts().front(), ids);
    EXPECT_LT(ids.size(), texts().front().size() / 2);
  }
}

TEST(SentencePiece, TrainsTheSameModelAgain) {
  for (const std::string kind : {"unigram", "bpe"})
    EXPECT_EQ(train_sentencepiece(kind, 305, views()), train_sentencepiece(kind, 305, views()));
}

TEST(SentencePiece, SaysWhichVocabularyTheTextAllows) {
  const auto refusal = [](const std::string& kind, std::int64_t vocabulary) {
    return refusal_of([&] { train_sentencepiece(kind, vocabulary, views()); });
  };
  EXPECT_THAT(refusal("unigram", 5000),
              HasSubstr("is more than the training text has; give vocabulary <= "));
  EXPECT_THAT(refusal("bpe", 257), HasSubstr("give vocabulary >= "));
  EXPECT_THAT(refusal("wordpiece", 300), HasSubstr("accepted: bytes, unigram, bpe"));
}

TEST(SentencePiece, TheVocabularyThatARefusalNamesIsAccepted) {
  struct Case {
    std::string kind;
    int asked;
    std::string words;
  };
  for (const Case& given :
       {Case{"unigram", 5000, "vocabulary <= "}, Case{"bpe", 5000, "vocabulary <= "},
        Case{"bpe", 257, "vocabulary >= "}}) {
    const std::string message =
        refusal_of([&] { train_sentencepiece(given.kind, given.asked, views()); });
    const std::size_t at = message.find(given.words);
    ASSERT_NE(at, std::string::npos) << message;
    const std::int64_t named = std::stoll(message.substr(at + given.words.size()));
    const auto trained = sentencepiece_tokenizer(train_sentencepiece(given.kind, named, views()));
    EXPECT_EQ(static_cast<std::int64_t>(trained->pieces().size()), named);
  }
}

TEST(SentencePiece, SurvivesTextsThatEndItsTrainer) {
  const std::string spaces = "   ", same(2'000, 'a');
  const std::vector<std::string_view> texts = {spaces, same, ""};
  for (const std::string_view text : texts)
    for (const std::string kind : {"unigram", "bpe"})
      for (const int vocabulary : {257, 258, 264}) try {
          train_sentencepiece(kind, vocabulary, std::span(&text, 1));
        } catch (const std::invalid_argument& error) {
          EXPECT_THAT(error.what(), HasSubstr("corpus.tokenizer"));
        }
}

TEST(MakeTokenizer, KeepsAModelAndMakesADamagedOneAnew) {
  for (const char* kind : {"bpe", "words"}) {
    const TemporaryFolder cache;
    const Json section = {{"kind", kind}, {"vocabulary", 320}};
    Json about, again;
    const auto made = make_tokenizer(section, views(), cache.path(), about);
    const auto file = cache / ("tokenizers/" + about["model"].get<std::string>() + ".model");
    const std::string stored = bytes_in(file);
    cache.write(file.lexically_relative(cache.path()).string(),
                stored.substr(0, stored.size() - 1));
    EXPECT_THROW(tokenizer_of({{"tokenizer", about}}, cache.path()), DamagedFile);
    EXPECT_EQ(make_tokenizer(section, views(), cache.path(), again)->pieces(), made->pieces());
    EXPECT_EQ(again, about);
    EXPECT_EQ(bytes_in(file), stored);
    EXPECT_EQ(tokenizer_of({{"tokenizer", about}}, cache.path())->pieces(), made->pieces());
    EXPECT_EQ(about.at("vocabulary").get<std::size_t>(), made->pieces().size());
  }
}

TEST(MakeTokenizer, AnotherTextIsAnotherModel) {
  const TemporaryFolder cache;
  const Json section = {{"kind", "bpe"}, {"vocabulary", 310}};
  Json about, other;
  make_tokenizer(section, views(), cache.path(), about);
  auto fewer = views();
  fewer.pop_back();
  make_tokenizer(section, fewer, cache.path(), other);
  EXPECT_NE(about["model"], other["model"]);
}

TEST(TokenizerOf, RefusesACorpusWithoutOneAndHostileNames) {
  const TemporaryFolder cache;
  EXPECT_THROW(tokenizer_of(Json::object(), cache.path()), std::invalid_argument);
  for (const char* name : {"", "../../etc/passwd", "0"})
    EXPECT_THROW(tokenizer_of({{"tokenizer", {{"kind", "bpe"}, {"model", name}}}}, cache.path()),
                 DamagedFile);
  EXPECT_THROW(sentencepiece_tokenizer("no model"), DamagedFile);
  EXPECT_THROW(sentencepiece_tokenizer(""), DamagedFile);
}

TEST(ForEachLine, LinesAddUpToTheText) {
  for (const std::string& text : awkward()) {
    std::string all;
    for_each_line(text, [&](std::string_view line, bool newline) {
      EXPECT_LE(line.size(), kLongestLine);
      all += line;
      if (newline) all += '\n';
    });
    EXPECT_TRUE(all == text);
  }
}

}  // namespace
}  // namespace ablate::data
