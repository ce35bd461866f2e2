// Files of tagged words: what of them is a word, and what is refused.

#include "harness/probes/tagging/tagged_lines_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/paths.h"
#include "tests/temporary_folder.h"

namespace ablate::probes {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::filesystem::path kTaggedCases = project_root() / "tests/cases";

TaggedFile read(const std::string& text) {
  const TemporaryFolder folder;
  return read_tagged(folder.write("file", text));
}

std::vector<std::string> words_of(const TaggedFile& file) {
  std::vector<std::string> words;
  for (const TaggedSentence& sentence : file.sentences)
    words.insert(words.end(), sentence.words.begin(), sentence.words.end());
  return words;
}

std::string refusal_of(const std::string& text) {
  try {
    read(text);
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    return what.substr(what.rfind("/file:") + 1);
  }
  return "accepted";
}

TEST(TaggedLines, AreSentencesSeparatedByBlankLines) {
  const auto sentences =
      read("-DOCSTART- O\n\nEU\tNNP\tB-org\nrejects O\r\n\n\n  \nGerman\tB-misc").sentences;
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0].words, ElementsAre("EU", "rejects"));
  EXPECT_THAT(sentences[0].tags, ElementsAre("B-org", "O"));
  EXPECT_THAT(sentences[1].tags, ElementsAre("B-misc"));
  EXPECT_THAT(sentences[1].lines, ElementsAre(8));
}

TEST(TaggedLines, HaveColumnsBetweenTabsWhereThereAreTabs) {
  EXPECT_THAT(words_of(read("New York\tB-LOC\nis  NN   O \n")), ElementsAre("New York", "is"));
}

TEST(TaggedLines, AreRefusedWithFileLineAndReason) {
  EXPECT_THAT(refusal_of("a\tO\nb\n"), StartsWith("file:2: 'b' has no tag"));
  EXPECT_THAT(refusal_of("\n\n"), StartsWith("file: contains no tagged words"));
  EXPECT_THAT(refusal_of("a O\n\nb B-x\nc I-y\n"), StartsWith("file:4: 'I-y' continues no entity"));
  for (const char* empty : {"\tO", " O", "  O", "\xC2\xA0\tO", "\u2003\tO", "\t\tO"})
    EXPECT_THAT(refusal_of(std::string("hello O\n") + empty),
                StartsWith("file:2: the word is empty"))
        << empty;
}

TEST(TaggedLines, AreNoWordsWhereTheyAreComments) {
  const TaggedFile file = read_tagged(kTaggedCases / "comments.conll");
  EXPECT_EQ(file.comments, 120);
  EXPECT_EQ(file.words(), 120);
  EXPECT_THAT(words_of(file), Each(Not(HasSubstr("#"))));
}

// A lone "#" is a word of tweets; a comment has other columns than the words around it.
TEST(TaggedLines, OfTheWordHashAreWords) {
  EXPECT_THAT(words_of(read("# id\n#\tO\n1\tB-rank\n")), ElementsAre("#", "1"));
  EXPECT_THAT(words_of(read("# id = 3\n# O\n1 B-rank\nO O\n")), ElementsAre("#", "1", "O"));
  EXPECT_THAT(words_of(read("# newdoc\n#tag O\n1 B-rank\n")), ElementsAre("#tag", "1"));
}

TEST(TaggedLines, LeaveOutAFirstColumnThatNumbersWords) {
  const TaggedFile file = read(
      "# sent_id = 1\n1-2\tdel\t_\tO\n1\tde\tADP\tO\n2\tel\tDET\tO\n3\tMar\tPROPN\tB-LOC\n\n"
      "1\tFin\tNOUN\tO\n");
  EXPECT_TRUE(file.numbered);
  EXPECT_THAT(words_of(file), ElementsAre("de", "el", "Mar", "Fin"));
  EXPECT_THAT(words_of(read("0 a x O\n1 b x B-y\n")), ElementsAre("a", "b"));
}

TEST(TaggedLines, KeepNumbersThatAreWords) {
  EXPECT_THAT(words_of(read("1\tO\n2\tB-x\n")), ElementsAre("1", "2"));
  EXPECT_THAT(words_of(read("1 CD O\n2 CD O\n\nmen NN O\n")), ElementsAre("1", "2", "men"));
}

TEST(TaggedLines, StartBehindAByteOrderMark) {
  const TaggedFile file = read_tagged(kTaggedCases / "docstart_bom.conll");
  EXPECT_THAT(words_of(file), Each(Not(HasSubstr("DOCSTART"))));
  EXPECT_EQ(file.sentences.size(), 60u);
}

// What was accuracy 1 beside F1 0: no entity was found in these files.
TEST(TaggedLines, HaveTheSameEntitiesInEverySchemeOfTheCases) {
  for (const char* name : {"single_iob2", "single_iobes", "single_plain_BI"}) {
    const TaggedFile file = read_tagged(kTaggedCases / (std::string(name) + ".conll"));
    EXPECT_EQ(file.sentences.size(), 60u) << name;
    for (const TaggedSentence& sentence : file.sentences)
      EXPECT_THAT(sentence.tags, ElementsAre(StartsWith("B-"), "O")) << name;
  }
  EXPECT_EQ(read_tagged(kTaggedCases / "single_iobes.conll").scheme.name, "IOBES");
  EXPECT_THAT(refusal_of("hello O\n O\n"), StartsWith("file:2: the word is empty"));
}

TEST(TaggedLines, HaveEntitiesWhereSomeTagIsNotO) {
  EXPECT_FALSE(read("a O\n").has_entities());
  EXPECT_TRUE(read("a O\n\nb S-x\n").has_entities());
}

}  // namespace
}  // namespace ablate::probes
