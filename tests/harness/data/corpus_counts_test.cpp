#include "harness/data/corpus_counts.h"

#include <gmock/gmock.h>

#include "harness/data/corpus/corpus_write.h"
#include "harness/data/prepare.h"
#include "tests/harness/data/folder.h"
#include "tests/paths.h"

namespace ablate::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Forty documents of about equal length between blank lines.
std::string short_documents() {
  std::string text;
  for (int i = 10; i < 50; ++i) text += "Story " + std::to_string(i) + " is told.\n\n";
  return text;
}

class CorpusCounts : public testing::Test {
 protected:
  /// The corpus of the file "text.txt" with these contents.
  Corpus of(const std::string& text, const Json& more = Json::object()) {
    folder.write("text.txt", text);
    Json section = {{"kind", "text"}, {"paths", {"text.txt"}}, {"documents", "blank_lines"}};
    section.update(more);
    return Corpus::open(prepare_corpus(section, folder.path(), folder / "cache"));
  }

  std::vector<std::string> warnings(const std::string& text, const Json& more = Json::object()) {
    return warnings_about(of(text, more), "corpus main");
  }

  TemporaryFolder folder;
};

TEST_F(CorpusCounts, AreThoseOfBothParts) {
  const Corpus corpus = of(short_documents(), {{"held_out", {{"share", 0.25}}}});
  const Json counts = counts_of(corpus);
  EXPECT_EQ(counts["hash"], corpus.hash());
  double tokens = 0;
  for (const auto& [name, part] :
       {std::pair("training", corpus.training()), std::pair("held_out", corpus.held_out())}) {
    EXPECT_EQ(counts[name]["documents"], part.documents);
    EXPECT_EQ(counts[name]["bytes"], part.bytes);
    EXPECT_EQ(counts[name]["tokens"], part.tokens.size());
    tokens += static_cast<double>(part.tokens.size());
  }
  EXPECT_EQ(counts["training"]["documents"].get<int>() + counts["held_out"]["documents"].get<int>(),
            40);
  EXPECT_DOUBLE_EQ(counts["held_out_fraction"].get<double>(),
                   counts["held_out"]["tokens"].get<double>() / tokens);
  EXPECT_EQ(counts["held_out_share"], 0.25);
}

TEST_F(CorpusCounts, KnowNoShareWhereFilesAreHeldOut) {
  folder.write("held.txt", "Another story.\n");
  const Corpus corpus = of(short_documents(), {{"held_out", {{"paths", {"held.txt"}}}}});
  EXPECT_TRUE(counts_of(corpus)["held_out_share"].is_null());
  EXPECT_THAT(warnings_about(corpus, "corpus main"), IsEmpty());
}

TEST_F(CorpusCounts, KnowNoBytesAndNoShareOfTheLanguage) {
  const Json section = {{"kind", "language"}, {"vocabulary", 8}, {"topics", 2},
                        {"states", 4},        {"tokens", 1000},  {"held_out_tokens", 1000}};
  const Corpus corpus = Corpus::open(prepare_corpus(section, folder.path(), folder / "cache"));
  const Json counts = counts_of(corpus);
  EXPECT_TRUE(counts["training"]["bytes"].is_null());
  EXPECT_GE(counts["training"]["tokens"], 1000);
  EXPECT_TRUE(counts["held_out_share"].is_null());
  EXPECT_THAT(warnings_about(corpus, "corpus main"), IsEmpty());
}

TEST_F(CorpusCounts, WarnWhereTokensAreHeldOutInAnotherProportionThanDocuments) {
  // Of two documents one is held out, so the proportion is far from a tenth either way.
  EXPECT_THAT(
      warnings("A short one.\n\n" + std::string(400, 'x')),
      ElementsAre(AllOf(
          HasSubstr("corpus main: "), HasSubstr(" % of its tokens, 1 of 2 documents, are held out"),
          HasSubstr("corpus.held_out.share asks for 10 %"),
          HasSubstr("the largest have 97 % ('xxxxxxxxxxxxxxxxxxxxxxxx ...') and 3.4 % "
                    "('A short one. ...') of all tokens"),
          HasSubstr("corpus.documents is \"blank_lines\"; give \"pattern\" or"),
          HasSubstr("corpus.held_out.paths"))));
}

TEST_F(CorpusCounts, DoNotWarnWhereTheProportionIsAboutRight) {
  std::string text;
  for (int i = 1000; i < 3000; ++i) text += "Story " + std::to_string(i) + " is told.\n\n";
  EXPECT_THAT(warnings(text), IsEmpty());  // a third is 5 sigma of a draw of 2000
}

TEST_F(CorpusCounts, NameTheEncodingAndTheCommandThatConverts) {
  const Json half = {{"held_out", {{"share", 0.5}}}};
  std::string text = short_documents();
  text += text + "Un caf\xE9.\n\nDes caf\xE9s.\n\n";
  EXPECT_THAT(warnings(text, half),
              testing::Contains(AllOf(HasSubstr("are read as U+FFFD: 2 in all"),
                                      HasSubstr("'text.txt' is probably Windows-1252"),
                                      HasSubstr("iconv -f WINDOWS-1252 -t UTF-8"))));
}

TEST_F(CorpusCounts, TellLinesThatSentencePieceSpellsInBytes) {
  const auto said = [&](const char* kind) {
    std::vector<std::string> warnings;
    const Json section = {{"kind", "text"},
                          {"paths", {(project_root() / "tests/cases/metaspace.txt").string()}},
                          {"documents", "lines"},
                          {"tokenizer", {{"kind", kind}, {"vocabulary", 400}}}};
    prepare_corpus(section, folder.path(), folder / "cache",
                   [&](std::string what) { warnings.push_back(std::move(what)); });
    return warnings;
  };
  EXPECT_THAT(said("bpe"), ElementsAre(AllOf(HasSubstr("42 of 43 lines have the character U+2581"),
                                             HasSubstr("spelled in single bytes"))));
  EXPECT_THAT(said("bytes"), IsEmpty());
}

// Each story is there twice, and held out or trained on together.
TEST_F(CorpusCounts, TellCopiesWhichAreInOnePart) {
  const Corpus corpus =
      of(short_documents() + short_documents(), {{"held_out", {{"share", 0.25}}}});
  const Json copies = counts_of(corpus)["copies"];
  EXPECT_EQ(copies["training"].get<int>() + copies["held_out"].get<int>(), 40);
  EXPECT_EQ(copies["training"], corpus.training().documents / 2);
  EXPECT_EQ(copies["held_out"], corpus.held_out().documents / 2);
}

TEST_F(CorpusCounts, TellDocumentsThatAreHeldOutAsWell) {
  folder.write("held.txt", "Story 10 is told.\n\nStory 11 is told.\n\nAnother.\n");
  EXPECT_THAT(warnings(short_documents(), {{"held_out", {{"paths", {"held.txt"}}}}}),
              ElementsAre(HasSubstr("2 of 40 documents of corpus.paths are held out as well")));
}

TEST_F(CorpusCounts, NameHeldOutFilesThatAreCopies) {
  folder.write("text.txt", short_documents());
  folder.write("more.txt", "Another story.\n");
  folder.write("copy.txt", short_documents());
  folder.write("own.txt", "A third story.\n");
  const Json section = {{"kind", "text"},
                        {"paths", {"text.txt", "more.txt"}},
                        {"documents", "blank_lines"},
                        {"held_out", {{"paths", {"copy.txt", "own.txt"}}}}};
  for (int again = 0; again < 2; ++again) {  // from the cache, too
    std::vector<std::string> said;
    prepare_corpus(section, folder.path(), folder / "cache",
                   [&](std::string what) { said.push_back(std::move(what)); });
    EXPECT_THAT(said, ElementsAre(AllOf(HasSubstr("1 of 2 held-out files is a copy of one among"),
                                        HasSubstr("copy.txt' is byte for byte '"))));
  }
}

TEST_F(CorpusCounts, NameBinaryFiles) {
  const Json half = {{"held_out", {{"share", 0.5}}}};
  EXPECT_THAT(warnings(short_documents() + std::string("\0\1\2", 3), half),
              testing::Contains(HasSubstr("'text.txt' is binary, or UTF-16")));
}

TEST_F(CorpusCounts, OfACorpusThatAnEarlierVersionWroteStillTellHowManyBytesAreNotUtf8) {
  CorpusContent content;
  content.training = {{begin_token, 16, end_token}, {}, 1, 1};
  content.held_out = {{begin_token, 16, end_token}, {}, 1, 1};
  content.pieces = {"a"};
  content.ordinary = 1;
  content.about = {{"kind", "text"}, {"treatment", {{"invalid_bytes", 3}, {"nul_bytes", 0}}}};
  const Corpus corpus = Corpus::open(write_corpus(folder.path(), content));
  EXPECT_THAT(
      warnings_about(corpus, "corpus main"),
      ElementsAre(AllOf(HasSubstr("are read as U+FFFD: 3 in all"), Not(HasSubstr("iconv")))));
}

TEST_F(CorpusCounts, DoNotChangeTheHashOfACorpus) {
  // What a warning needs to know of files is stored, but it is no part of the identity.
  const Corpus corpus = of(short_documents() + "caf\xE9\n");
  EXPECT_TRUE(corpus.about()["provenance"].contains("encodings"));
  CorpusContent same;
  for (const auto& [content, part] : {std::pair(&same.training, corpus.training()),
                                      std::pair(&same.held_out, corpus.held_out())}) {
    content->tokens.assign(part.tokens.begin(), part.tokens.end());
    content->marks.assign(part.marks.begin(), part.marks.end());
    content->documents = part.documents;
    content->bytes = part.bytes;
  }
  for (Token id = special_count; id < special_count + corpus.ordinary(); ++id)
    same.pieces.push_back(std::string(1, static_cast<char>(id - special_count)));
  same.ordinary = corpus.ordinary();
  same.about = corpus.about();
  same.about["provenance"].erase("encodings");
  EXPECT_EQ(write_corpus(folder.path(), same).stem(), corpus.hash());
}

TEST(CheckCorpus, RefusesFilesThatAreNotThereWithoutReadingAny) {
  const TemporaryFolder folder;
  folder.write("text.txt", "one\n");
  const auto refusal = [&](const Json& paths) {
    return refusal_of([&] { check_corpus({{"kind", "text"}, {"paths", paths}}, folder.path()); });
  };
  EXPECT_EQ(refusal({"text.txt"}), "");
  EXPECT_THAT(refusal({"text.txt", "absent.txt"}), HasSubstr("absent.txt' does not exist"));
  EXPECT_THAT(refusal(Json::array()), HasSubstr("corpus.paths names no file"));
  EXPECT_EQ(refusal_of([&] { check_corpus({{"kind", "language"}}, folder.path()); }), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
}

}  // namespace
}  // namespace ablate::data
