// Pictures in JSON Lines, from a file to the tokens of a corpus.

#include "harness/data/text/pictures.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "harness/data/prepare.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Pictures, StandBeforeTheTextOfAnyDocument) {
  for (const std::string text : {"a story", "1 2\x02 3", "\n ", "\xED\x95\x9C"})
    for (const std::vector<Token>& patches : {std::vector<Token>{0}, {7, 7, 1048575}}) {
      const std::string document = with_picture(patches, text);
      const Pictured parts = pictured(document);
      EXPECT_EQ(parts.patches, patches);
      EXPECT_EQ(parts.text, text);
    }
}

Json section_with(Json more = Json::object()) {
  Json section = {{"kind", "text"},
                  {"paths", {"a.jsonl"}},
                  {"format", "jsonl"},
                  {"documents", "files"},
                  {"picture", {{"field", "codes"}, {"values", 32}}}};
  section.update(more);
  return section;
}

std::string pictured_records() {
  std::string lines;
  for (int i = 0; i < 40; ++i)
    lines += Json{{"text", fmt::format("story {}", i)}, {"codes", {i % 32, 31}}}.dump() + "\n";
  return lines;
}

TEST(Pictures, AreTokensOfTheirOwnBehindThoseOfText) {
  const TemporaryFolder folder;
  folder.write("a.jsonl", pictured_records());
  for (const Json& tokenizer :
       {Json{{"kind", "bytes"}}, Json{{"kind", "bpe"}, {"vocabulary", 290}}}) {
    const Corpus corpus = Corpus::open(
        prepare_corpus(section_with({{"tokenizer", tokenizer}}), folder.path(), folder / "cache"));
    ASSERT_EQ(corpus.patches(), 32);
    const Token first = special_count + corpus.ordinary() - corpus.patches();
    EXPECT_EQ(corpus.spelled(first + 5), "<patch 5>");
    EXPECT_EQ(corpus.bytes_of(first + 5), 0);
    std::int64_t documents = 0, bytes = 0;
    for (const Part* part : {&corpus.training(), &corpus.held_out()}) {
      for (std::size_t i = 0; i < part->tokens.size(); ++i) {
        const bool patch = part->tokens[i] >= first;
        ASSERT_EQ((part->marks[i] & patch_mark) != 0, patch);
        const bool behind_begin = i > 0 && part->tokens[i - 1] == begin_token;
        if (behind_begin) EXPECT_TRUE(patch) << "every document begins with its picture";
        if (behind_begin) EXPECT_EQ(part->tokens[i + 1], first + 31);
        bytes += corpus.bytes_of(part->tokens[i]);
      }
      documents += part->documents;
      EXPECT_EQ(part->bytes, bytes) << "patches are no bytes of text";
      bytes = 0;
    }
    EXPECT_EQ(documents, 40);
    // What reads further text by this corpus's tokenizer has the same ids.
    const auto again = tokenizer_of(corpus.about(), folder / "cache");
    EXPECT_EQ(again->first_patch(), first);
    EXPECT_EQ(std::ssize(again->pieces()), corpus.ordinary());
  }
}

TEST(Pictures, DoNotChangeTheIdentityOfACorpusWithout) {
  const TemporaryFolder folder;
  folder.write("a.jsonl", pictured_records());
  Json section = section_with();
  section.erase("picture");
  const Corpus corpus = Corpus::open(prepare_corpus(section, folder.path(), folder / "cache"));
  EXPECT_EQ(corpus.patches(), 0);
  EXPECT_FALSE(corpus.about().at("settings").contains("picture"));
  EXPECT_FALSE(corpus.about().at("tokenizer").contains("patches"));
}

TEST(Pictures, AreRefusedWhereTheyAreNone) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& line, const Json& more = Json::object()) {
    folder.write("a.jsonl", pictured_records() + line + "\n");
    return refusal_of([&] { prepare_corpus(section_with(more), folder.path(), folder / "cache"); });
  };
  EXPECT_THAT(refusal("{\"text\": \"x\"}"),
              HasSubstr("a.jsonl:41: has no picture in a field 'codes'"));
  EXPECT_THAT(refusal("{\"text\": \"x\", \"codes\": 3}"),
              HasSubstr("a.jsonl:41: 'codes' is a number"));
  EXPECT_THAT(refusal("{\"text\": \"x\", \"codes\": []}"), HasSubstr("has 0 patches"));
  for (const char* patch : {"32", "-1", "1.5", "null", "\"3\"", "[1]", "18446744073709551615"})
    EXPECT_THAT(refusal(fmt::format("{{\"text\": \"x\", \"codes\": [1, {}]}}", patch)),
                HasSubstr("each is a whole number in [0, 32)"))
        << patch;
  EXPECT_THAT(refusal("{\"text\": \" \", \"codes\": [1]}"), HasSubstr("a picture and no text"));
  EXPECT_THAT(refusal("", {{"documents", "lines"}}),
              HasSubstr("corpus.picture belongs to a record"));
  EXPECT_THAT(refusal("", {{"format", "plain"}}), HasSubstr("jsonl"));
}

}  // namespace
}  // namespace ablate::data
