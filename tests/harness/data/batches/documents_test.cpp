#include "harness/data/batches/documents.h"

#include <gmock/gmock.h>

#include "harness/data/corpus/split.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DocumentRule, AFileIsOneDocument) {
  const DocumentRule rule("files", "");
  EXPECT_THAT(rule.split("a\n\nb\n"), ElementsAre("a\n\nb"));
}

TEST(DocumentRule, BlankLinesStandBetweenDocuments) {
  const DocumentRule rule("blank_lines", "");
  EXPECT_THAT(rule.split("\n\na\nb\n \t \n\nc\n"), ElementsAre("a\nb", "c"));
}

TEST(DocumentRule, ALineOfWhiteSpaceIsBlank) {
  for (const char* line : {"", " ", "\t", " \t\v\f\r "}) EXPECT_TRUE(is_blank(line));
  EXPECT_FALSE(is_blank("  . "));
}

TEST(DocumentRule, EveryLineThatIsNotBlankIsADocument) {
  const DocumentRule rule("lines", "");
  EXPECT_THAT(rule.split("a\n\n  \n b \nc"), ElementsAre("a", " b ", "c"));
}

TEST(DocumentRule, ADocumentStartsWhereThePatternIsFound) {
  const DocumentRule rule("pattern", "^ = [^=].* = $");
  EXPECT_THAT(rule.split(" \n = One = \n\n = = Part = = \ntext\n \n = Two = \nmore\n"),
              ElementsAre(" = One = \n\n = = Part = = \ntext", " = Two = \nmore"));
}

TEST(DocumentRule, APatternIsFoundAnywhereInALine) {
  const auto starts = [](const std::string& pattern, const std::string& line) {
    return DocumentRule("pattern", pattern).split("x\n" + line).size() == 2;
  };
  EXPECT_TRUE(starts("b", "abc"));
  EXPECT_TRUE(starts("a|^c", "ba"));
  EXPECT_FALSE(starts("a|^c", "bc"));
  EXPECT_FALSE(starts("^b", "abc"));
  EXPECT_TRUE(starts("c$", "abc"));
  EXPECT_FALSE(starts("b$", "abc"));
  EXPECT_TRUE(starts("\\bword\\b", "a word ends"));
  EXPECT_FALSE(starts("\\bword\\b", "awordends"));
  EXPECT_TRUE(starts("\xEC\x9E\xA5", "\xEC\xA0\x9C 1 \xEC\x9E\xA5"));
}

TEST(DocumentRule, WhatStandsBeforeTheFirstHeadingIsADocument) {
  EXPECT_THAT(DocumentRule("pattern", "^#").split("preface\n# One\n"),
              ElementsAre("preface", "# One"));
  EXPECT_THAT(DocumentRule("pattern", "^#").split("\n \n# One\n"), ElementsAre("# One"));
}

TEST(DocumentRule, TextThatIsBlankHasNoDocument) {
  for (const char* name : {"files", "blank_lines", "lines"})
    for (const char* text : {"", "\n", " \n\t\n\n"})
      EXPECT_THAT(DocumentRule(name, "").split(text), IsEmpty());
}

TEST(DocumentRule, NoRuleLosesOrRepeatsAWord) {
  const std::string text = "\n a b\nc\n\n\n# d\n \ne f\n\n#g";
  const auto words = [](std::string_view part) {
    std::string kept;
    for (const char c : part)
      if (!is_blank({&c, 1})) kept += c;
    return kept;
  };
  for (const auto& [name, pattern] : std::vector<std::pair<std::string, std::string>>{
           {"files", ""}, {"blank_lines", ""}, {"lines", ""}, {"pattern", "^#"}}) {
    std::string all;
    for (const std::string_view document : DocumentRule(name, pattern).split(text))
      all += words(document);
    EXPECT_EQ(all, words(text)) << name;
  }
}

TEST(DocumentRule, RefusesPatternsThatAreMissingUnusedOrMalformed) {
  const auto refusal = [](const std::string& rule, const std::string& pattern) {
    return refusal_of([&] { DocumentRule(rule, pattern); });
  };
  EXPECT_THAT(refusal("pattern", ""), HasSubstr("corpus.pattern is missing"));
  EXPECT_THAT(refusal("lines", "^#"), HasSubstr("is not used with documents = \"lines\""));
  EXPECT_THAT(refusal("chapters", ""), HasSubstr("accepted: files, blank_lines"));
  EXPECT_THAT(refusal("pattern", std::string(300, '(')), HasSubstr("300 bytes"));
  for (const char* pattern :
       {"(", "[a", "a{2,1}", "*", "\\", "(a)\\1", "(?=a)", "(?!a)", "a)(b", "((a{99}){99}){99}"})
    EXPECT_THAT(refusal("pattern", pattern), HasSubstr("corpus.pattern = '")) << pattern;
}

TEST(DocumentRule, SearchesHostileLinesWithinBounds) {
  const DocumentRule rule("pattern", "^(a*)*(a|a)*$");
  const std::string heading(DocumentRule::kLongestHeading, 'a');
  EXPECT_EQ(rule.split("x\n" + heading + "\n").size(), 2u);
  EXPECT_EQ(rule.split("x\n" + heading + "b\n").size(), 1u)
      << "no match: exponential in a naive search";
  EXPECT_EQ(rule.split("x\n" + std::string(1'000'000, 'a')).size(), 1u) << "too long for a heading";
}

std::vector<std::string> numbered(int count) {
  std::vector<std::string> documents;
  for (int i = 0; i < count; ++i) documents.push_back("document " + std::to_string(i));
  return documents;
}

std::vector<std::string_view> views(const std::vector<std::string>& documents) {
  return {documents.begin(), documents.end()};
}

TEST(Split, HoldsOutAboutTheShareAndLosesNothing) {
  const auto documents = numbered(2000);
  const Split split = split_by_fraction(views(documents), 0.1);
  EXPECT_NEAR(static_cast<double>(split.held_out.size()), 200, 4 * 13.4);  // 4 sigmas
  std::vector<std::string_view> all = split.training;
  all.insert(all.end(), split.held_out.begin(), split.held_out.end());
  EXPECT_THAT(all, testing::UnorderedElementsAreArray(documents));
}

TEST(Split, IsADocumentsOwnBusiness) {
  const auto documents = numbered(500);
  const Split all = split_by_fraction(views(documents), 0.2);
  std::vector<std::string_view> half = views(documents);
  half.resize(250);
  std::reverse(half.begin(), half.end());
  const std::set<std::string_view> held_out(all.held_out.begin(), all.held_out.end());
  for (const std::string_view document : split_by_fraction(half, 0.2).held_out)
    EXPECT_TRUE(held_out.contains(document)) << document;
}

TEST(Split, EqualDocumentsStayTogether) {
  auto documents = numbered(100);
  documents.insert(documents.end(), documents.begin(), documents.begin() + 100);
  const Split split = split_by_fraction(views(documents), 0.3);
  for (const std::string_view document : split.held_out)
    EXPECT_THAT(split.training, testing::Not(testing::Contains(document)));
}

TEST(Split, LeavesNeitherPartEmpty) {
  const auto documents = numbered(2);
  for (const double fraction : {1e-6, 0.1, 0.5, 0.9}) {
    const Split split = split_by_fraction(views(documents), fraction);
    EXPECT_EQ(split.training.size(), 1u);
    EXPECT_EQ(split.held_out.size(), 1u);
  }
}

TEST(Split, RefusesWhatCannotBeSplit) {
  EXPECT_THAT(refusal_of([] { split_by_fraction({"a"}, 0.1); }), HasSubstr("held_out.paths"));
  EXPECT_THAT(refusal_of([] { split_by_fraction({"a", "a"}, 0.1); }), HasSubstr("no two differ"));
  EXPECT_THAT(refusal_of([] { split_by_fraction({}, 0.1); }), HasSubstr("0 documents"));
  EXPECT_THAT(refusal_of([] { split_by_fraction({"a"}, 0.1); }), HasSubstr("give \"blank_lines\""));
  EXPECT_THAT(refusal_of([] { split_by_fraction({"a"}, 0.1, "blank_lines"); }),
              HasSubstr("is \"blank_lines\"; give \"pattern\" or \"lines\""));
  EXPECT_THAT(refusal_of([] { split_by_fraction({"a"}, 0.1, "lines"); }),
              HasSubstr("give text of more lines"));
  EXPECT_THAT(refusal_of([] { split_as_given({"a"}, {}); }), HasSubstr("held_out.paths"));
  EXPECT_THAT(refusal_of([] { split_as_given({"a"}, {"a"}); }), HasSubstr("also among"));
}

TEST(Split, DocumentsThatAreHeldOutAreNotTrainedOn) {
  const Split split = split_as_given({"a", "b", "c", "b"}, {"b", "d"});
  EXPECT_THAT(split.training, ElementsAre("a", "c"));
  EXPECT_THAT(split.held_out, ElementsAre("b", "d"));
}

}  // namespace
}  // namespace ablate::data
