// Raw bytes, files and folders, marks.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "harness/base/rng.h"
#include "harness/base/sha256.h"
#include "harness/base/utf8.h"
#include "harness/data/text/text_clean.h"
#include "harness/data/text/text_files.h"
#include "harness/data/text/text_marks.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kBad = "\xEF\xBF\xBD";

struct Cleaned {
  std::string text;
  Treatment treatment;
};

Cleaned clean(std::string_view bytes) {
  Cleaned result;
  result.text = cleaned(bytes, result.treatment);
  return result;
}

TEST(Cleaned, LeavesGoodTextAsItIs) {
  const std::string text = "a\tb\n\xED\x95\x9C\xEA\xB8\x80 \xF0\x9F\x98\x80\n";
  EXPECT_EQ(clean(text).text, text);
  EXPECT_EQ(clean(text).treatment.json(), Treatment().json());
  EXPECT_EQ(clean("").text, "");
}

TEST(Cleaned, IsTheSameTextWhereNothingIsToBeCleaned) {
  for (const std::string& bytes :
       {std::string(), std::string("a\tb\r\xC3\xBC\xEF\xBB\xBF"), std::string("\xEF\xBB\xBF") + "a",
        std::string("a\r\n"), std::string("\0", 1), std::string("a\xFF"), std::string("\xC3")})
    EXPECT_EQ(is_clean(bytes), clean(bytes).text == bytes) << testing::PrintToString(bytes);
}

TEST(Cleaned, RemovesAByteOrderMarkAtTheStartAlone) {
  const Cleaned result = clean(
      "\xEF\xBB\xBF"
      "a\xEF\xBB\xBF");
  EXPECT_EQ(result.text, "a\xEF\xBB\xBF");
  EXPECT_EQ(result.treatment.byte_order_marks, 1);
}

TEST(Cleaned, TurnsCrLfIntoLf) {
  const Cleaned result = clean("a\r\nb\r\r\nc\rd");
  EXPECT_EQ(result.text, "a\nb\r\nc\rd");
  EXPECT_EQ(result.treatment.carriage_returns, 2);
}

TEST(Cleaned, ReplacesNulBytes) {
  const Cleaned result = clean(std::string("a\0b\0", 4));
  EXPECT_EQ(result.text, "a" + kBad + "b" + kBad);
  EXPECT_EQ(result.treatment.nul_bytes, 2);
}

TEST(Cleaned, ReplacesEachByteThatIsNotUtf8) {
  for (const auto& [bytes, bad] :
       std::vector<std::pair<std::string, int>>{{"\xFF", 1},
                                                {"\x80\x80", 2},
                                                {"\xC0\xAF", 2},
                                                {"\xED\xA0\x80", 3},
                                                {"\xE2\x96", 2},
                                                {"\xF4\x90\x80\x80", 4}}) {
    const Cleaned result = clean("a" + bytes + "b");
    std::string expected = "a";
    for (int i = 0; i < bad; ++i) expected += kBad;
    EXPECT_EQ(result.text, expected + "b");
    EXPECT_EQ(result.treatment.invalid_bytes, bad);
  }
}

TEST(Cleaned, AnyBytesBecomeValidText) {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    std::string bytes;
    for (int j = 0; j < 40; ++j) bytes += static_cast<char>(rng.below(256));
    const std::string text = clean(bytes).text;
    EXPECT_EQ(first_invalid_utf8(text), std::string_view::npos);
    EXPECT_EQ(text.find('\0'), std::string::npos);
  }
}

std::vector<std::string> names_of(const TemporaryFolder& folder, const std::string& glob) {
  LinksLeftOut left_out;
  std::vector<std::string> names;
  for (const auto& file : files_of(folder.path(), glob, left_out))
    names.push_back(file.lexically_relative(folder.path()).string());
  return names;
}

TEST(FilesOf, FindsFilesInFoldersSortedByPath) {
  const TemporaryFolder folder;
  for (const char* name :
       {"b.txt", "a.md", "sub/c.txt", "sub/deep/a.txt", ".hidden.txt", ".git/x.txt"})
    folder.write(name, "x");
  EXPECT_THAT(names_of(folder, "*"), ElementsAre("a.md", "b.txt", "sub/c.txt", "sub/deep/a.txt"));
  EXPECT_THAT(names_of(folder, "*.txt"), ElementsAre("b.txt", "sub/c.txt", "sub/deep/a.txt"));
  EXPECT_THAT(names_of(folder, "sub/*.txt"), ElementsAre("sub/c.txt"));
  EXPECT_THAT(names_of(folder, "[ab].*"), ElementsAre("a.md", "b.txt", "sub/deep/a.txt"));
  EXPECT_THAT(names_of(folder, ".hidden*"), ElementsAre(".hidden.txt"));
}

TEST(FilesOf, AFileThatIsNamedIsReadWhateverTheGlob) {
  const TemporaryFolder folder;
  LinksLeftOut left_out;
  EXPECT_THAT(files_of(folder.write("a.txt", "x"), "*.md", left_out), testing::SizeIs(1));
}

TEST(FilesOf, FollowsALinkThatIsNamedAndSaysWhatItNamesInVain) {
  const TemporaryFolder folder;
  folder.write("a.txt", "x");
  std::filesystem::create_symlink("a.txt", folder / "link.txt");
  std::filesystem::create_symlink("gone", folder / "sub");
  LinksLeftOut left_out;
  EXPECT_THAT(files_of(folder / "link.txt", "*", left_out), testing::SizeIs(1));
  EXPECT_THAT(refusal_of([&] { files_of(folder / "sub", "*", left_out); }),
              HasSubstr("sub' is a link to 'gone', which does not exist"));
  EXPECT_THAT(refusal_of([&] { files_of(folder.path(), "sub", left_out); }),
              HasSubstr("matches the glob 'sub'; the link '"));
}

TEST(FilesOf, RefusesWhatIsNoText) {
  const TemporaryFolder folder;
  folder.write("a.txt", "x");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  LinksLeftOut left_out;
  const auto refusal = [&](const std::filesystem::path& path, const std::string& glob = "*") {
    return refusal_of([&] { files_of(path, glob, left_out); });
  };
  EXPECT_THAT(refusal(folder / "absent"), HasSubstr("absent' does not exist"));
  EXPECT_THAT(refusal(folder / "a.txt/b"), HasSubstr("corpus.paths"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("is a device"));
  EXPECT_THAT(refusal(folder / "pipe"), HasSubstr("is a device, a pipe"));
  EXPECT_THAT(refusal(folder.path(), "*.csv"), HasSubstr("matches the glob '*.csv'"));
  EXPECT_THAT(files_of(folder.path(), "*", left_out), testing::SizeIs(1)) << "the pipe is skipped";
}

TextFormat format_of(bool json_lines, const std::string& rule) {
  return {.json_lines = json_lines, .field = "text", .rule = DocumentRule(rule, "")};
}

/// The documents of one file.
std::vector<std::string> documents_in(const std::filesystem::path& file, bool json_lines,
                                      const std::string& rule = "files") {
  Treatment treatment;
  const CutText text = cut(read_raw({file}), format_of(json_lines, rule), treatment);
  return {text.documents.begin(), text.documents.end()};
}

TEST(Cut, CleansTextAndCutsItIntoDocuments) {
  const TemporaryFolder folder;
  const auto file = folder.write("a",
                                 "\xEF\xBB\xBF"
                                 "a\r\n\r\nb\r\n");
  EXPECT_THAT(documents_in(file, false, "blank_lines"), ElementsAre("a", "b"));
}

TEST(Cut, ReadsTheFieldOfEveryRecord) {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "a.jsonl",
      "{\"text\": \"one\\r\\ntwo\", \"id\": 1}\n\n  \n{\"id\": 2, \"text\": \"\\u0000\\ud55c\"}");
  EXPECT_THAT(documents_in(file, true), ElementsAre("one\ntwo", kBad + "\xED\x95\x9C"));
  EXPECT_THAT(documents_in(file, true, "lines"), ElementsAre("one", "two", kBad + "\xED\x95\x9C"));
}

TEST(Cut, NamesTheLineOfARecordThatIsNone) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& line) {
    const auto file = folder.write("a.jsonl", "{\"text\": \"x\"}\n" + line + "\n");
    return refusal_of([&] { documents_in(file, true); });
  };
  EXPECT_THAT(refusal("{\"text\": "), HasSubstr("a.jsonl:2: is not JSON"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("a.jsonl:2: is not a JSON object, but a list"));
  EXPECT_THAT(refusal("{\"body\": \"x\", \"id\": 1}"), HasSubstr("the record has: body, id"));
  EXPECT_THAT(refusal("{\"text\": 3}"),
              HasSubstr("a.jsonl:2: the field 'text' has no text, but a number"));
  EXPECT_THAT(refusal("{\"text\": \"\\ud800\"}"), HasSubstr("a.jsonl:2: is not JSON"));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("a.jsonl:2"));
}

TEST(Cut, CountsFilesWithoutADocument) {
  const TemporaryFolder folder;
  Treatment treatment;
  const RawText raw =
      read_raw({folder.write("a", ""), folder.write("b", " \n"), folder.write("c", "x")});
  EXPECT_THAT(cut(raw, format_of(false, "files"), treatment).documents, ElementsAre("x"));
  EXPECT_EQ(treatment.files, 3);
  EXPECT_EQ(treatment.files_without_document, 2);
}

TEST(ReadRaw, KnowsSizesAndChecksums) {
  const TemporaryFolder folder;
  const RawText raw = read_raw({folder.write("a", "abc"), folder.write("b", "")});
  EXPECT_EQ(raw.size, 3);
  EXPECT_THAT(raw.bytes, ElementsAre("abc", ""));
  EXPECT_THAT(raw.checksums, ElementsAre(sha256("abc"), sha256("")));
}

TEST(Cut, RefusesUtf16) {
  const TemporaryFolder folder;
  const auto file = folder.write("a", std::string("\xFF\xFE"
                                                  "a\0",
                                                  4));
  EXPECT_THAT(refusal_of([&] { documents_in(file, false); }),
              HasSubstr("is UTF-16; convert it to UTF-8"));
}

std::vector<int> marks_of(std::string_view text) {
  Marker marker;
  std::vector<int> marks;
  for (const char& c : text) marks.push_back(marker.read({&c, 1}));
  return marks;
}

TEST(Marker, WordsStartAfterWhiteSpace) {
  constexpr int kWord = word_mark, kBoth = word_mark | sentence_mark;
  EXPECT_THAT(marks_of("ab c"), ElementsAre(kBoth, 0, 0, kWord));
  EXPECT_THAT(marks_of(" a"), ElementsAre(0, kBoth));
}

TEST(Marker, SentencesStartAfterStopsAndBlankLines) {
  const auto starts = [](std::string_view text) {
    std::string found;
    const auto marks = marks_of(text);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (marks[i] & sentence_mark) found += text[i];
    return found;
  };
  EXPECT_EQ(starts("a b. c d! e? f"), "acef");
  EXPECT_EQ(starts("a 3.5 b"), "a");
  EXPECT_EQ(starts("a. (b.) \"c?\" d"), "a(\"d");
  EXPECT_EQ(starts("a\nb\n\nc \n d"), "ac");
  EXPECT_EQ(starts("a . b"), "ab");
  EXPECT_EQ(starts("a ) b"), "a");
}

TEST(Marker, APieceCarriesWhateverStartsInIt) {
  Marker marker;
  EXPECT_EQ(marker.read("One"), word_mark | sentence_mark);
  EXPECT_EQ(marker.read("s"), no_mark);
  EXPECT_EQ(marker.read(" two"), word_mark);
  EXPECT_EQ(marker.read("."), no_mark);
  EXPECT_EQ(marker.read(" Th"), word_mark | sentence_mark);
  EXPECT_EQ(marker.read(""), no_mark);
}

}  // namespace
}  // namespace ablate::data
