// Words and sentences of texts in any script, and which rule finds them.

#include "harness/data/text/text_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/base/utf8.h"
#include "harness/data/prepare.h"
#include "harness/data/text_corpus.h"
#include "tests/harness/data/folder.h"
#include "tests/paths.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

const std::filesystem::path kTextCases = project_root() / "tests/cases";

/// The text cut where the bytes of it have a mark.
std::vector<std::string> cut_at(std::string_view text, std::uint8_t mark) {
  BoundaryFinder finder;
  UnicodeMarker marker(text, finder);
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if ((marker.read(1) & mark) != 0 && !parts.back().empty()) parts.emplace_back();
    parts.back() += c;
  }
  return parts;
}

std::vector<std::string> sentences_of(std::string_view text) { return cut_at(text, sentence_mark); }

TEST(UnicodeMarker, EndsSentencesByTheMarksOfAnyScript) {
  EXPECT_THAT(sentences_of("孩子们忘记了山。我们画了书！他说：“很好。”我们笑了？"),
              ElementsAre("孩子们忘记了山。", "我们画了书！", "他说：“很好。”", "我们笑了？"));
  EXPECT_THAT(sentences_of("वह घर गया। मैं यहाँ हूँ॥ ठीक"),
              ElementsAre("वह घर गया। ", "मैं यहाँ हूँ॥ ", "ठीक"));
  EXPECT_THAT(sentences_of("أين البيت؟ هنا."), ElementsAre("أين البيت؟ ", "هنا."));
  EXPECT_THAT(sentences_of("“Sit.” ‘Now!’ She sat. (So.) Well"),
              ElementsAre("“Sit.” ", "‘Now!’ ", "She sat. ", "(So.) ", "Well"));
  EXPECT_THAT(sentences_of("It is 3.5 m, e.g. here.\u00A0There"),
              ElementsAre("It is 3.5 m, e.g. here.\u00A0", "There"));
}

TEST(UnicodeMarker, TakesALineEndForASpaceAndABlankLineForTheEndOfAParagraph) {
  EXPECT_THAT(sentences_of("One line\nand 山。\nTwo\n \u3000\n\nThree"),
              ElementsAre("One line\nand 山。\n", "Two\n \u3000\n\n", "Three"));
  EXPECT_THAT(sentences_of("  \n\n  A"), ElementsAre("  \n\n  ", "A"));
  EXPECT_THAT(sentences_of(""), ElementsAre(""));
  EXPECT_THAT(sentences_of("\n\n\n"), ElementsAre("\n\n\n"));
}

TEST(UnicodeMarker, FindsWordsWithoutSpaces) {
  EXPECT_THAT(cut_at("我们喜欢山。 Let’s “go”.", word_mark),
              ElementsAre("我们", "喜欢", "山", "。 ", "Let’s ", "“", "go", "”", "."));
  EXPECT_THAT(cut_at("ภาษาไทย ดี", word_mark), ElementsAre("ภาษา", "ไทย ", "ดี"));
}

TEST(UnicodeMarker, MarksAPieceThatHoldsSeveralStarts) {
  const std::string text = "Go. Now. Yes.";
  BoundaryFinder finder;
  UnicodeMarker marker(text, finder);
  EXPECT_EQ(marker.read(2), word_mark | sentence_mark);
  EXPECT_EQ(marker.read(3), word_mark | sentence_mark) << "'. N'";
  EXPECT_EQ(marker.read(2), no_mark);
  EXPECT_EQ(marker.read(6), word_mark | sentence_mark) << "'. Yes.'";
  EXPECT_EQ(marker.read(9), no_mark) << "past the end";
}

TEST(MarkRule, OfAsciiCoversWhatHasItsMarksAlone) {
  for (const char* text : {"", "He left. \"So.\" 'Why?'", "Café naïve, Straße; жук. Дом.",
                           "한국어 문장. 둘.", "“Now” it’s – …", "\xF0\x9F\x98\x80 ok."})
    EXPECT_TRUE(ascii_rule_covers(text)) << text;
  for (const char* text : {"我们", "go。", "गया।", "؟", "a\u00A0b", "a\u3000b", "He left.” So",
                           "(so.)” So", "Oui. »\u202F", "ไทย", "かな", "a\u2028b", "left.’"}) {
    EXPECT_FALSE(ascii_rule_covers(text)) << text;
    EXPECT_TRUE(may_need_unicode_rule(text, false)) << text;
  }
}

TEST(MarkRule, MayBeThatOfUnicodeWhereJsonHidesItInEscapes) {
  EXPECT_TRUE(may_need_unicode_rule(R"({"text": "go\u3002"})", true));
  EXPECT_TRUE(may_need_unicode_rule(R"({"text": "\uD840\uDC00"})", true)) << "an ideograph";
  EXPECT_FALSE(may_need_unicode_rule(R"({"text": "caf\u00e9 \u0041 \u12"})", true));
  EXPECT_FALSE(may_need_unicode_rule(R"(C:\u3002)", false));
  EXPECT_FALSE(may_need_unicode_rule("\xE3\xE3 \xFF\xC2", false)) << "no UTF-8";
  EXPECT_TRUE(may_need_unicode_rule("\xE3\xE3\x80\x82", false)) << "U+3002 after a stray byte";
}

class MarkedCorpus : public testing::Test {
 protected:
  Corpus of(const std::string& text, const Json& more = Json::object()) {
    folder.write("text.txt", text);
    Json section = {{"kind", "text"}, {"paths", {"text.txt"}}, {"documents", "blank_lines"}};
    section.update(more);
    return Corpus::open(prepare_corpus(section, folder.path(), folder / "cache"));
  }

  /// How many tokens of both parts start a sentence.
  static std::int64_t sentences(const Corpus& corpus) {
    std::int64_t count = 0;
    for (const Part* part : {&corpus.training(), &corpus.held_out()})
      for (const std::uint8_t marks : part->marks) count += (marks & sentence_mark) != 0;
    return count;
  }

  TemporaryFolder folder;
};

std::string read_case(const char* name) { return read_file(kTextCases / name); }

TEST_F(MarkedCorpus, HasFourSentencesInQuotesOfEitherKind) {
  for (const char* name : {"quote_line.txt", "quote_line2.txt"})
    EXPECT_EQ(sentences(of(read_case(name) + "\n\nOne more.")), 5) << name;
}

TEST_F(MarkedCorpus, HasTheSentencesOfChinese) {
  const std::string text = read_case("zh_docs.txt");
  std::int64_t stops = 0;
  for (std::string_view rest = text; !rest.empty();
       rest.remove_prefix(std::max<std::size_t>(utf8_length(rest), 1)))
    for (const char* stop : {"。", "！", "？"}) stops += rest.starts_with(stop);
  for (const Json& tokenizer :
       {Json::object(), Json{{"tokenizer", {{"kind", "bpe"}, {"vocabulary", 450}}}}}) {
    const Corpus corpus = of(text, tokenizer);
    EXPECT_EQ(corpus.about().at("marks"), unicode_marks());
    EXPECT_NEAR(static_cast<double>(sentences(corpus)), static_cast<double>(stops),
                tokenizer.empty() ? 0 : 5)
        << "a piece can hold the start of two";
  }
}

// Of the version before there was the rule of Unicode.
TEST_F(MarkedCorpus, KeepsItsIdWhereTheRuleOfAsciiCoversIt) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "Story " + std::to_string(i) +
            " is told. “Café” it is called; naïve «words» of Москва\nstay as they are. It ends "
            "well!\n\n";
  EXPECT_EQ(of(text).hash(), "283c36ce2e22cf17e776400bb1d7b096e752e0a6f7ed2da9af34be029041dc7c");
  EXPECT_EQ(of(text, {{"tokenizer", {{"kind", "bpe"}, {"vocabulary", 400}}}}).hash(),
            "4f8be556072ce4d565eaba46f8cac2470e411ce9ff67596fff702bb6d300bd25");
  EXPECT_FALSE(of(text).about().contains("marks"));
}

// The text may be in another field than that which is read; the corpus is then what it was.
TEST_F(MarkedCorpus, NamesTheRuleOfTheTextThatItReads) {
  std::string lines, escaped;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    lines += R"({"text": "Story )" + number + R"(.", "other": "山。"})" + "\n";
    escaped += R"({"text": "Story )" + number + R"( \u5c71\u3002", "other": ""})" + "\n";
  }
  const Json records = {{"format", "jsonl"}, {"documents", "files"}};
  EXPECT_FALSE(of(lines, records).about().contains("marks"));
  EXPECT_THAT(of(escaped, records).about().at("marks").get<std::string>(),
              StartsWith("UAX 29, ICU "));
}

}  // namespace
}  // namespace ablate::data
