// The development part: what tuning trials train on, and what they are measured on.

#include "harness/data/development.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/data/batches/packing.h"
#include "harness/data/prepare.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using TokenDocument = std::vector<Token>;

std::multiset<TokenDocument> documents_in(const Part& part) {
  std::multiset<TokenDocument> documents;
  for (std::size_t first = 0; first < part.tokens.size();) {
    const std::size_t end = document_end(part.tokens, first);
    documents.emplace(part.tokens.begin() + static_cast<std::ptrdiff_t>(first),
                      part.tokens.begin() + static_cast<std::ptrdiff_t>(end));
    first = end;
  }
  return documents;
}

std::vector<TokenDocument> common_documents(const Part& a, const Part& b) {
  const auto first = documents_in(a), second = documents_in(b);
  std::vector<TokenDocument> common;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                        std::back_inserter(common));
  return common;
}

class DevelopmentCorpus : public testing::Test {
 protected:
  Corpus of_section(const Json& section) const {
    return Corpus::open(prepare_corpus(section, folder.path(), folder / "cache"));
  }

  Corpus development_of(const Corpus& corpus, double fraction = 0.2) const {
    return Corpus::open(development_corpus(corpus, fraction, folder / "cache"));
  }

  Json text_section(int stories) const {
    std::string text;
    for (int i = 0; i < stories; ++i)
      text += "Story " + std::to_string(i % 90) + " is told.\nIt ends well.\n\n";
    folder.write("text.txt", text);
    return {{"kind", "text"}, {"paths", {"text.txt"}}, {"documents", "blank_lines"}};
  }

  Json language_section() const {
    return {{"kind", "language"}, {"topics", 2},    {"states", 6},
            {"vocabulary", 32},   {"tokens", 4000}, {"held_out_tokens", 1500}};
  }

  TemporaryFolder folder;
};

TEST_F(DevelopmentCorpus, DividesTheTrainingPartOfTextAndHoldsNothingThatWasHeldOut) {
  const Corpus corpus = of_section(text_section(100));  // ten documents occur twice
  const Corpus development = development_of(corpus);
  auto together = documents_in(development.training());
  together.merge(documents_in(development.held_out()));
  EXPECT_EQ(together, documents_in(corpus.training()));
  EXPECT_TRUE(common_documents(development.training(), development.held_out()).empty())
      << "equal documents are on both sides";
  EXPECT_TRUE(common_documents(development.held_out(), corpus.held_out()).empty());
  EXPECT_EQ(development.training().documents + development.held_out().documents,
            corpus.training().documents);
  EXPECT_EQ(development.training().bytes + development.held_out().bytes, corpus.training().bytes);
  EXPECT_GT(development.held_out().documents, 5);
  EXPECT_LT(development.held_out().documents, 35);
}

TEST_F(DevelopmentCorpus, OfTheLanguageIsDrawnAnewAndTrainingStaysAsItIs) {
  const Corpus corpus = of_section(language_section());
  const Corpus development = development_of(corpus);
  EXPECT_TRUE(std::ranges::equal(development.training().tokens, corpus.training().tokens));
  EXPECT_TRUE(std::ranges::equal(development.training().marks, corpus.training().marks));
  EXPECT_GE(std::ssize(development.held_out().tokens), 1500);
  EXPECT_FALSE(std::ranges::equal(development.held_out().tokens, corpus.held_out().tokens));
  // Short documents of so small a language may be drawn twice; long ones may not.
  for (const TokenDocument& document : common_documents(development.held_out(), corpus.held_out()))
    EXPECT_LT(document.size(), 12u);
}

TEST_F(DevelopmentCorpus, IsFoundAgainAndIsAnotherCorpusThanItsOrigin) {
  for (const Json& section : {text_section(100), language_section()}) {
    const Corpus corpus = of_section(section);
    EXPECT_EQ(development_of(corpus).hash(), development_of(corpus).hash());
    EXPECT_NE(development_of(corpus).hash(), corpus.hash());
    EXPECT_EQ(development_of(corpus).ordinary(), corpus.ordinary());
  }
}

TEST_F(DevelopmentCorpus, RefusesTextWhoseDocumentsAreAllEqual) {
  folder.write("text.txt", "same\n\nsame\n\nother\n\nsame\n");
  folder.write("test.txt", "other\n");
  const Corpus corpus = of_section({{"kind", "text"},
                                    {"paths", {"text.txt"}},
                                    {"documents", "blank_lines"},
                                    {"held_out", {{"paths", {"test.txt"}}}}});
  EXPECT_THAT(refusal_of([&] { development_of(corpus); }),
              testing::HasSubstr("3 documents and no two differ"));
}

}  // namespace
}  // namespace ablate::data
