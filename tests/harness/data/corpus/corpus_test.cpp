#include "harness/data/corpus/corpus.h"
#include "harness/data/corpus/corpus_write.h"

#include <gmock/gmock.h>

#include "harness/base/error.h"
#include "harness/base/sha256.h"
#include "harness/data/corpus/corpus_format.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CorpusContent small() {
  CorpusContent content;
  content.training = {{begin_token, 16, 17, end_token}, {1, 6, 0, 1}, 1, 5};
  content.held_out = {{begin_token, 18, end_token}, {1, 6, 1}, 1, 1};
  content.pieces = {"ab", "\xED\x95\x9C", "\n"};
  content.ordinary = 3;
  content.about = {{"kind", "text"}, {"provenance", {{"paths", {"a.txt"}}}}};
  return content;
}

TEST(Corpus, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const CorpusContent content = small();
  const auto file = write_corpus(folder.path(), content);
  const Corpus corpus = Corpus::open(file);
  EXPECT_THAT(corpus.training().tokens, ElementsAre(begin_token, 16, 17, end_token));
  EXPECT_THAT(corpus.training().marks, ElementsAre(1, 6, 0, 1));
  EXPECT_THAT(corpus.held_out().tokens, ElementsAre(begin_token, 18, end_token));
  EXPECT_THAT(corpus.held_out().marks, ElementsAre(1, 6, 1));
  EXPECT_EQ(corpus.training().documents, 1);
  EXPECT_EQ(corpus.training().bytes, 5);
  EXPECT_EQ(corpus.ordinary(), 3);
  EXPECT_EQ(corpus.about(), content.about);
  EXPECT_EQ(file.filename().string(), corpus.hash() + ".corpus");
}

TEST(Corpus, KnowsWhatItsIdsStandFor) {
  const TemporaryFolder folder;
  const Corpus corpus = Corpus::open(write_corpus(folder.path(), small()));
  EXPECT_EQ(corpus.bytes_of(16), 2);
  EXPECT_EQ(corpus.bytes_of(17), 3);
  EXPECT_EQ(corpus.bytes_of(mask_token), 0);
  EXPECT_EQ(corpus.bytes_of(19), 0);
  EXPECT_EQ(corpus.bytes_of(-1), 0);
  EXPECT_EQ(corpus.spelled(16), "ab");
  EXPECT_EQ(corpus.spelled(17), "\xED\x95\x9C");
  EXPECT_EQ(corpus.spelled(18), "<0x0A>");
  EXPECT_EQ(corpus.text_of(std::vector<Token>{16, 18, 17, end_token}), "ab\n\xED\x95\x9C");
  EXPECT_EQ(corpus.spelled(mask_token), "<mask>");
  EXPECT_EQ(corpus.spelled(15), "<15>");
  EXPECT_EQ(corpus.spelled(20), "<sentinel 20>");
}

// As byte fallback and byte tokenizers make them.
TEST(Corpus, SpellsCharactersOfSeveralTokens) {
  const TemporaryFolder folder;
  CorpusContent content = small();
  content.pieces = {"\xE2", "\x80", "\x9C", "I "};
  content.ordinary = 4;
  const Corpus corpus = Corpus::open(write_corpus(folder.path(), content));
  EXPECT_EQ(corpus.spelled(16), "<0xE2>");
  EXPECT_EQ(corpus.spelled(std::vector<Token>{16, 17, 18, 19}), "\u201CI ");
  EXPECT_EQ(corpus.spelled(std::vector<Token>{16, 17, mask_token, 18, 19}),
            "<0xE2><0x80><mask><0x9C>I ");
}

TEST(Corpus, TheLanguagesTokensStandForNoBytes) {
  const TemporaryFolder folder;
  CorpusContent content = small();
  content.pieces.clear();
  const Corpus corpus = Corpus::open(write_corpus(folder.path(), content));
  EXPECT_EQ(corpus.bytes_of(16), 0);
  EXPECT_EQ(corpus.spelled(17), "w1");
}

TEST(Corpus, HashChangesWithAnythingThatDecides) {
  const TemporaryFolder folder;
  std::vector<std::function<void(CorpusContent&)>> changes = {
      [](CorpusContent&) {},
      [](CorpusContent& c) { c.training.tokens[1] = 17; },
      [](CorpusContent& c) { c.held_out.tokens[1] = 17; },
      [](CorpusContent& c) { c.training.marks[2] = 2; },
      [](CorpusContent& c) { c.pieces[0] = "ac"; },
      [](CorpusContent& c) { c.training.bytes = 6; },
      [](CorpusContent& c) { c.about["kind"] = "language"; },
      [](CorpusContent& c) { c.pieces.clear(); },
      [](CorpusContent& c) { c.pieces.clear(), c.ordinary = 4; },
      [](CorpusContent& c) { std::swap(c.training, c.held_out); },
  };
  std::set<std::string> hashes;
  for (const auto& change : changes) {
    CorpusContent content = small();
    change(content);
    hashes.insert(Corpus::open(write_corpus(folder.path(), content)).hash());
  }
  EXPECT_EQ(hashes.size(), changes.size());
}

TEST(Corpus, HashDoesNotDependOnWhereTheTextLay) {
  const TemporaryFolder folder;
  CorpusContent elsewhere = small();
  elsewhere.about["provenance"]["paths"] = {"/else/where.txt"};
  EXPECT_EQ(write_corpus(folder.path(), small()), write_corpus(folder.path(), elsewhere));
}

TEST(Corpus, AnyFlippedByteIsNoticed) {
  const TemporaryFolder folder;
  const auto file = write_corpus(folder.path(), small());
  const std::string bytes = bytes_in(file);
  std::fstream patch(file, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t at, int value) {
    patch.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(value)).flush();
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0, 5, 7}) {
      put(i, bytes[i] ^ (1 << bit));
      EXPECT_THROW(Corpus::open(file), DamagedFile) << "byte " << i << ", bit " << bit;
    }
    put(i, bytes[i]);
  }
  Corpus::open(file);
}

TEST(Corpus, AnyTornOrOverlongFileIsNoticed) {
  const TemporaryFolder folder;
  const auto file = write_corpus(folder.path(), small());
  const auto size = std::filesystem::file_size(file);
  for (auto torn = size + 9; torn-- > 0;) {
    if (torn == size) continue;
    std::filesystem::resize_file(file, torn);
    EXPECT_THROW(Corpus::open(file), DamagedFile) << torn << " bytes";
  }
}

/// A corpus file with this header and its true checksum.
std::string file_with_header(const std::string& header) {
  const std::uint64_t size = header.size();
  std::string body(reinterpret_cast<const char*>(&size), sizeof size);
  body += header;
  return std::string(kCorpusMagic) + sha256(body) + body;
}

TEST(Corpus, AHeaderThatContradictsItselfIsNoticedBehindATrueChecksum) {
  const TemporaryFolder folder;
  const std::string deep(100'000, '[');
  for (const std::string& header :
       {std::string("[]"), std::string(R"({"about": 1})"), "{\"about\":" + deep,
        std::string(R"({"about":{},"hash":"","ordinary":16777216,"pieces":16777216,)"
                    R"("training":{"tokens":0,"marks":0,"documents":0,"bytes":0},)"
                    R"("held_out":{"tokens":0,"marks":0,"documents":0,"bytes":0}})")})
    EXPECT_THROW(Corpus::open(folder.write("a.corpus", file_with_header(header))), DamagedFile)
        << header.substr(0, 100);
}

TEST(Corpus, MorePatchesThanIdsAreNoticed) {
  const TemporaryFolder folder;
  for (const Json& patches :
       {Json(4), Json(-1), Json("3"), Json(1e300), Json((std::int64_t{1} << 32) + 1)}) {
    CorpusContent content = small();
    content.about["tokenizer"] = {{"kind", "bytes"}, {"patches", patches}};
    const auto file = write_corpus(folder.path(), content);
    EXPECT_THROW(Corpus::open(file), DamagedFile) << patches;
  }
  CorpusContent content = small();
  content.about["tokenizer"] = {{"kind", "bytes"}, {"patches", 1}};
  const Corpus corpus = Corpus::open(write_corpus(folder.path(), content));
  EXPECT_EQ(corpus.patches(), 1);
  EXPECT_EQ(corpus.spelled(18), "<patch 0>");
}

TEST(Corpus, ADamagedFileIsNamedWithTheRemedyAndWrittenAnew) {
  const TemporaryFolder folder;
  const auto file = write_corpus(folder.path(), small());
  const std::string bytes = bytes_in(file);
  folder.write(file.filename().string(), bytes.substr(0, 100));
  EXPECT_THAT(refusal_of([&] { Corpus::open(file); }),
              testing::AllOf(HasSubstr(file.string()), HasSubstr("delete it and run again")));
  EXPECT_EQ(write_corpus(folder.path(), small()), file);
  EXPECT_EQ(bytes_in(file), bytes);
}

TEST(Corpus, WhatIsThereAndWholeIsKept) {
  const TemporaryFolder folder;
  const auto file = write_corpus(folder.path(), small());
  const auto written = std::filesystem::last_write_time(file);
  std::filesystem::last_write_time(file, written - std::chrono::hours(1));
  write_corpus(folder.path(), small());
  EXPECT_EQ(std::filesystem::last_write_time(file), written - std::chrono::hours(1));
}

TEST(Corpus, RefusesToWriteWhatDoesNotAddUp) {
  const TemporaryFolder folder;
  const auto refuses = [&](std::function<void(CorpusContent&)> change) {
    CorpusContent content = small();
    change(content);
    EXPECT_THROW(write_corpus(folder.path(), content), std::invalid_argument);
  };
  refuses([](CorpusContent& c) { c.training.tokens[1] = 19; });
  refuses([](CorpusContent& c) { c.held_out.tokens[1] = -1; });
  refuses([](CorpusContent& c) { c.training.marks.pop_back(); });
  refuses([](CorpusContent& c) { c.pieces.pop_back(); });
  refuses([](CorpusContent& c) { c.ordinary = -1; });
  refuses([](CorpusContent& c) { c.about = Json::array(); });
}

TEST(Corpus, AFileThatCannotBeReadIsNotCalledDamaged) {
  const TemporaryFolder folder;
  for (const auto& path : {folder / "absent", folder.path(), std::filesystem::path("/dev/null")})
    try {
      Corpus::open(path);
      FAIL() << path;
    } catch (const DamagedFile&) {
      FAIL() << path << " is called damaged";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
    }
}

}  // namespace
}  // namespace ablate::data
