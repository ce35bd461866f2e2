#include "harness/data/prepare.h"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "harness/data/corpus/corpus.h"
#include "harness/data/text_corpus.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "tests/harness/data/folder.h"

namespace ablate::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Forty short documents between blank lines.
std::string stories(int from = 0) {
  std::string text;
  for (int i = from; i < from + 40; ++i)
    text += "Story " + std::to_string(i) + " is told. It ends well\nfor everyone in it.\n\n";
  return text;
}

Json text_section(Json more = Json::object()) {
  Json section = {{"kind", "text"}, {"paths", {"text.txt"}}, {"documents", "blank_lines"}};
  section.update(more);
  return section;
}

Json bpe() { return {{"tokenizer", {{"kind", "bpe"}, {"vocabulary", 300}}}}; }

Corpus prepared(const Json& section, const TemporaryFolder& folder) {
  return Corpus::open(prepare_corpus(section, folder.path(), folder / "cache"));
}

std::string refusal(const Json& section, const TemporaryFolder& folder) {
  return refusal_of([&] { prepare_corpus(section, folder.path(), folder / "cache"); });
}

/// The documents of a part, each as text.
std::vector<std::string> documents_of(const Corpus& corpus, const Part& part,
                                      const TemporaryFolder& folder) {
  const auto tokenizer = tokenizer_of(corpus.about(), folder / "cache");
  std::vector<std::string> documents;
  for (std::size_t i = 0; i < part.tokens.size(); ++i) {
    if (part.tokens[i] == begin_token) documents.emplace_back();
    documents.back() += tokenizer->decode(part.tokens.subspan(i, 1));
  }
  return documents;
}

TEST(PrepareCorpus, EveryDocumentBeginsAndEnds) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  for (const Json& tokenizer : {Json::object(), bpe()}) {
    const Corpus corpus = prepared(text_section(tokenizer), folder);
    for (const Part* part : {&corpus.training(), &corpus.held_out()}) {
      std::int64_t begins = 0, bytes = 0;
      for (std::size_t i = 0; i < part->tokens.size(); ++i) {
        const bool begin = part->tokens[i] == begin_token;
        const bool after_end = i == 0 || part->tokens[i - 1] == end_token;
        EXPECT_EQ(begin, after_end);
        EXPECT_EQ((part->marks[i] & special_mark) != 0, part->tokens[i] < special_count);
        begins += begin;
        bytes += corpus.bytes_of(part->tokens[i]);
      }
      EXPECT_EQ(part->tokens.back(), end_token);
      EXPECT_EQ(begins, part->documents);
      EXPECT_EQ(bytes, part->bytes);
      EXPECT_EQ(part->marks.size(), part->tokens.size());
    }
  }
}

TEST(PrepareCorpus, PartsAreDisjointAndTogetherTheText) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  const Corpus corpus = prepared(text_section(bpe()), folder);
  auto all = documents_of(corpus, corpus.training(), folder);
  const auto held_out = documents_of(corpus, corpus.held_out(), folder);
  EXPECT_GT(held_out.size(), 0u);
  all.insert(all.end(), held_out.begin(), held_out.end());
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 40u);
  EXPECT_EQ(all.size(), 40u);
  EXPECT_THAT(all, testing::Contains("Story 7 is told. It ends well\nfor everyone in it."));
}

TEST(PrepareCorpus, TheTokenizerNeverSeesHeldOutText) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  const Json paths = {{"held_out", {{"paths", {"held.txt"}}}}};
  Json section = text_section(bpe());
  section.update(paths);
  folder.write("held.txt", "zyzzyva zyzzyva zyzzyva\n");
  const Corpus one = prepared(section, folder);
  folder.write("held.txt", "quixotic quixotic quixotic\n");
  const Corpus other = prepared(section, folder);
  EXPECT_NE(one.hash(), other.hash());
  EXPECT_EQ(one.about()["tokenizer"], other.about()["tokenizer"]);
  EXPECT_THAT(one.training().tokens, testing::ElementsAreArray(other.training().tokens));
  for (Token id = special_count + 256; id < special_count + one.ordinary(); ++id)
    EXPECT_THAT(one.spelled(id), testing::Not(HasSubstr("zy")));
}

TEST(PrepareCorpus, HeldOutPathsAreHeldOutAndNotTrainedOn) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  folder.write("held.txt", stories(38));
  const Corpus corpus = prepared(text_section({{"held_out", {{"paths", {"held.txt"}}}}}), folder);
  EXPECT_EQ(corpus.held_out().documents, 40);
  EXPECT_EQ(corpus.training().documents, 38);
  EXPECT_EQ(corpus.about()["documents_left_out"], 2);
}

TEST(PrepareCorpus, CountsWhatItDidToTheBytes) {
  const TemporaryFolder folder;
  folder.write("text.txt",
               "\xEF\xBB\xBF"
               "one\r\n\r\ntwo\xFF\r\n\r\nthree" +
                   std::string(1, '\0'));
  const Json treatment = prepared(text_section(), folder).about()["treatment"];
  EXPECT_EQ(treatment["byte_order_marks"], 1);
  EXPECT_EQ(treatment["carriage_returns"], 4);
  EXPECT_EQ(treatment["invalid_bytes"], 1);
  EXPECT_EQ(treatment["nul_bytes"], 1);
  EXPECT_EQ(treatment["files"], 1);
}

TEST(PrepareCorpusLike, TokenisesAsTheOtherCorpusWas) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  folder.write("other.txt", stories(900));
  const Json section = text_section({{"paths", {"other.txt"}}});
  const Corpus main = prepared(text_section(bpe()), folder);
  const Corpus like =
      Corpus::open(prepare_corpus_like(main, section, folder.path(), folder / "cache"));
  EXPECT_EQ(like.ordinary(), main.ordinary());
  EXPECT_EQ(like.about()["tokenizer"], main.about()["tokenizer"]);
  EXPECT_THAT(documents_of(like, like.training(), folder),
              testing::Each(HasSubstr(" is told. It ends well")));
  EXPECT_EQ(like.spelled(special_count + 260), main.spelled(special_count + 260));
  EXPECT_NE(like.ordinary(), prepared(section, folder).ordinary());  // by itself: bytes
}

TEST(PrepareCorpusLike, RefusesWhatSharesNoVocabulary) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  const Json language = {{"kind", "language"}, {"vocabulary", 8}, {"topics", 2},
                         {"states", 4},        {"tokens", 1000},  {"held_out_tokens", 1000}};
  Json larger = language;
  larger["vocabulary"] = 9;
  const auto refused = [&](const Corpus& main, const Json& section) {
    return refusal_of([&] { prepare_corpus_like(main, section, folder.path(), folder / "cache"); });
  };
  EXPECT_THAT(refused(prepared(text_section(), folder), language),
              HasSubstr("give one of that kind"));
  EXPECT_THAT(refused(prepared(language, folder), larger), HasSubstr("set \"vocabulary\" to 8"));
}

TEST(PrepareCorpus, FindsAgainWhatItMade) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  for (const Json& section : {text_section(bpe()), Json{{"kind", "language"}}}) {
    const auto file = prepare_corpus(section, folder.path(), folder / "cache");
    const auto then = std::filesystem::last_write_time(file) - std::chrono::hours(1);
    std::filesystem::last_write_time(file, then);
    EXPECT_EQ(prepare_corpus(section, folder.path(), folder / "cache"), file);
    EXPECT_EQ(std::filesystem::last_write_time(file), then);
  }
}

TEST(PrepareCorpus, TheHashDoesNotDependOnFolderOrCache) {
  const TemporaryFolder one, other;
  one.write("text.txt", stories());
  other.write("sub/text.txt", stories());
  Json elsewhere = text_section(bpe());
  elsewhere["paths"] = {(other / "sub").string()};
  EXPECT_EQ(prepared(text_section(bpe()), one).hash(), prepared(elsewhere, other).hash());
}

TEST(PrepareCorpus, AnotherTextOrSettingIsAnotherCorpus) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  std::set<std::string> hashes = {prepared(text_section(), folder).hash()};
  hashes.insert(prepared(text_section({{"documents", "lines"}}), folder).hash());
  hashes.insert(prepared(text_section({{"held_out", {{"share", 0.3}}}}), folder).hash());
  hashes.insert(prepared(text_section(bpe()), folder).hash());
  folder.write("text.txt", stories(1));
  hashes.insert(prepared(text_section(), folder).hash());
  EXPECT_EQ(hashes.size(), 5u);
}

TEST(PrepareCorpus, MakesDamagedOrLostFilesAnew) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  const auto file = prepare_corpus(text_section(), folder.path(), folder / "cache");
  const std::string bytes = bytes_in(file);
  const std::string name = file.lexically_relative(folder.path()).string();
  folder.write(name, bytes.substr(0, 200));
  EXPECT_EQ(prepare_corpus(text_section(), folder.path(), folder / "cache"), file);
  EXPECT_EQ(bytes_in(file), bytes);
  std::filesystem::remove(file);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cache/made"))
    folder.write(entry.path().lexically_relative(folder.path()).string(), "../../../etc/passwd");
  EXPECT_EQ(prepare_corpus(text_section(), folder.path(), folder / "cache"), file);
  EXPECT_EQ(bytes_in(file), bytes);
}

TEST(PrepareCorpus, TrainsALostOrDamagedTokenizerAgainAlthoughTheCorpusIsCached) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  const auto file = prepare_corpus(text_section(bpe()), folder.path(), folder / "cache");
  const Json about = Corpus::open(file).about();
  const std::string name =
      "cache/tokenizers/" + about.at("tokenizer").at("model").get<std::string>() + ".model";
  const std::string model = bytes_in(folder / name);
  const auto expect_trained_again = [&] {
    EXPECT_THROW(tokenizer_of(about, folder / "cache"), std::runtime_error);
    EXPECT_EQ(prepare_corpus(text_section(bpe()), folder.path(), folder / "cache"), file);
    EXPECT_TRUE(bytes_in(folder / name) == model);
  };
  std::filesystem::remove(folder / name);
  expect_trained_again();
  folder.write(name, model.substr(0, 100));
  expect_trained_again();
}

TEST(PrepareCorpus, KeepsTokensInNoMoreMemoryThanTheyFill) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  Json settings = text_section();
  settings.erase("kind");
  const Params params(text_params(), settings);
  const CorpusContent content = TextCorpus(params, folder.path()).content(folder / "cache");
  for (const auto* part : {&content.training, &content.held_out}) {
    EXPECT_FALSE(part->tokens.empty());
    EXPECT_EQ(part->tokens.capacity(), part->tokens.size());
    EXPECT_EQ(part->marks.capacity(), part->marks.size());
  }
}

TEST(PrepareCorpus, RefusesWhatCannotBe) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  folder.write("empty.txt", " \n");
  EXPECT_THAT(refusal({{"kind", "texts"}}, folder),
              HasSubstr("the closest is 'text'; accepted: language, task, text"));
  EXPECT_THAT(refusal(Json::object(), folder), HasSubstr("'kind' is missing"));
  EXPECT_THAT(refusal({{"kind", "text"}}, folder), HasSubstr("'paths' is missing"));
  EXPECT_THAT(refusal(text_section({{"paths", Json::array()}}), folder), HasSubstr("corpus.paths"));
  EXPECT_THAT(refusal(text_section({{"path", "x"}}), folder), HasSubstr("did you mean 'paths'"));
  EXPECT_THAT(refusal(text_section({{"paths", {"absent.txt"}}}), folder),
              HasSubstr("does not exist"));
  EXPECT_THAT(refusal(text_section({{"paths", {"empty.txt"}}}), folder),
              HasSubstr("there is no document"));
  EXPECT_THAT(refusal(text_section({{"documents", "files"}}), folder), HasSubstr("1 document"));
  EXPECT_THAT(refusal(text_section({{"documents", "pattern"}}), folder),
              HasSubstr("corpus.pattern is missing"));
  EXPECT_THAT(refusal(text_section({{"held_out", {{"paths", {"./text.txt"}}}}}), folder),
              HasSubstr("also among corpus.paths"));
  EXPECT_THAT(refusal(text_section({{"held_out", {{"paths", {"empty.txt"}}}}}), folder),
              HasSubstr("there is no document"));
  EXPECT_THAT(
      refusal(text_section({{"tokenizer", {{"kind", "bpe"}, {"vocabulary", 60000}}}}), folder),
      HasSubstr("give vocabulary <= "));
}

/// Forty records, each a line of JSON.
std::string records() {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "{\"text\": \"story " + std::to_string(i) + "\"}\n";
  return lines;
}

TEST(PrepareCorpus, RefusesJsonAsPlainText) {
  const TemporaryFolder folder;
  const auto remedy = HasSubstr("\"format\": \"jsonl\"");
  for (const char* name : {"a.jsonl", "a.ndjson", "a.json", "a.txt"}) {
    folder.write(name, records());
    const Json paths = {{"paths", {name}}, {"documents", "lines"}};
    EXPECT_THAT(refusal(text_section(paths), folder), AllOf(HasSubstr(name), remedy)) << name;
    const Json json = {{"paths", {name}}, {"documents", "files"}, {"format", "jsonl"}};
    EXPECT_EQ(refusal(text_section(json), folder), "") << name;
  }
  folder.write("text.txt", stories());
  EXPECT_THAT(refusal(text_section({{"held_out", {{"paths", {"a.txt"}}}}}), folder), remedy);
}

TEST(PrepareCorpus, TakesAFolderOfTextWithSomeJsonInIt) {
  const TemporaryFolder folder;
  folder.write("some/readme.md", stories());
  folder.write("some/settings.json", "{\n  \"a\": 1\n}\n");
  folder.write("some/few.jsonl", "{\"a\": 1}\n");
  EXPECT_EQ(refusal(text_section({{"paths", {"some"}}}), folder), "");
}

TEST(PrepareCorpus, SaysWhereACacheCannotBe) {
  const TemporaryFolder folder;
  folder.write("text.txt", stories());
  const auto file = folder.write("file", "x");
  for (const auto& cache : {file, std::filesystem::path("/proc/no_cache")})
    EXPECT_THAT(refusal_of([&] { prepare_corpus(text_section(), folder.path(), cache); }),
                AllOf(HasSubstr(cache.string()), HasSubstr("set ABLATE_CACHE to a folder")));
}

TEST(CorpusKinds, AreCompleteRowsInAlphabeticalOrder) {
  std::vector<std::string_view> names;
  for (const CorpusKind& kind : corpus_kinds()) {
    EXPECT_FALSE(kind.summary.empty()) << kind.name;
    EXPECT_EQ(corpus_summary(kind.name), kind.summary);
    EXPECT_NE(kind.prepare, nullptr) << kind.name;
    EXPECT_FALSE(kind.params().empty()) << kind.name;
    names.push_back(kind.name);
  }
  EXPECT_THAT(names, ElementsAre("language", "task", "text"));
}

TEST(CorpusParams, EveryKindHasRowsThatAcceptTheirOwnDefaults) {
  for (const CorpusKind& kind : corpus_kinds()) {
    const Json given = kind.name == "text" ? Json{{"paths", {"a"}}} : Json::object();
    const Params params(corpus_params(kind.name), given);
    EXPECT_EQ(Params(corpus_params(kind.name), params.json()).json(), params.json());
  }
  EXPECT_THROW(corpus_params("image"), std::invalid_argument);
}

/// Sets a variable of the environment for one scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, was_set_ = true;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { was_set_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::string old_;
  bool was_set_ = false;
};

TEST(CacheFolder, FollowsTheEnvironment) {
  const Variable home("HOME", "/home/of/me");
  const Variable xdg("XDG_CACHE_HOME", "/xdg");
  {
    const Variable own("ABLATE_CACHE", "/own");
    EXPECT_EQ(cache_folder(), "/own");
  }
  const Variable own("ABLATE_CACHE", nullptr);
  EXPECT_EQ(cache_folder(), "/xdg/ablate");
  const Variable relative("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(cache_folder(), "/home/of/me/.cache/ablate");
  const Variable homeless("HOME", nullptr);
  EXPECT_THROW(cache_folder(), std::invalid_argument);
}

}  // namespace
}  // namespace ablate::data
