// Labelled text from its files to an accuracy, and what is refused.

#include "harness/probes/classification/labelled_files_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/probes/classification/labelled.h"
#include "harness/probes/classification/pair_features.h"
#include "harness/probes/specs.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"
#include "tests/paths.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LabelledFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path file(const std::string& name, const std::string& text) const {
    write_file(folder / name, text);
    return folder / name;
  }

  std::string refused(const std::string& line) const {
    try {
      read_labelled(file("bad.jsonl", "{\"text\": \"a\", \"label\": 1}\n" + line),
                    {"text", "label"});
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing";
  }

  const std::filesystem::path folder = scratch_folder("labelled");
};

/// Texts of one letter each; the label says which.
std::string letters(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    const Json line = {{"text", i % 2 ? "aaaa a" : "bbb bb"},
                       {"label", i % 2 ? "first" : "second"}};
    lines += line.dump() + "\n";
  }
  return lines;
}

TEST_F(LabelledFiles, AreReadLineByLine) {
  const auto lines = read_labelled(file("a.jsonl",
                                        "{\"t\": \"x\\r\\ny\", \"l\": \"good\"}\n\n{\"t\": \" \", "
                                        "\"l\": 1}\n{\"t\": \"z\", \"l\": -3}"),
                                   {"t", "l"});
  EXPECT_THAT(lines.texts, ElementsAre("x\ny", "z"));
  EXPECT_THAT(lines.labels, ElementsAre("good", "-3"));
  EXPECT_EQ(lines.blank, 1);
}

TEST_F(LabelledFiles, AreRefusedWithFileLineAndReason) {
  EXPECT_THAT(refused("{\"text\": "), HasSubstr("bad.jsonl:2: is not JSON"));
  EXPECT_THAT(refused("[1]"), HasSubstr("bad.jsonl:2: is not a JSON object"));
  EXPECT_THAT(refused("{\"text\": \"a\"}"), HasSubstr("has no 'label'"));
  EXPECT_THAT(refused("{\"text\": 3, \"label\": 1}"), HasSubstr("'text' is not a string"));
  EXPECT_THAT(refused("{\"text\": \"a\", \"label\": 1.5}"), HasSubstr("'label' is neither"));
  for (const char* blank : {"\"\"", "\" \""})
    EXPECT_THAT(refused(std::string("{\"text\": \"a\", \"label\": ") + blank + "}"),
                HasSubstr("bad.jsonl:2: 'label' is blank"));
  EXPECT_THAT(refused(std::string(100000, '[')), HasSubstr("is not JSON"));
  EXPECT_THROW(read_labelled(file("empty.jsonl", "\n\n"), {"text", "label"}), std::runtime_error);
  EXPECT_THROW(read_labelled(folder / "absent.jsonl", {"text", "label"}), std::runtime_error);
}

class LabelledProbe : public LabelledFiles {
 protected:
  Json prepared(Json settings, const char* probe = "classification") const {
    const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe(probe);
    return spec.prepare(Params(spec.params, settings),
                        {.folder_of = [this](const std::string&) { return folder; },
                         .cache = folder / "cache",
                         .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
  }
};

TEST_F(LabelledProbe, NamesLabelsThatABagOfTokensTellsApart) {
  file("train.jsonl", letters(60));
  file("test.jsonl", letters(40));
  Json probe = prepared({{"train", "train.jsonl"}, {"test", "test.jsonl"}});
  probe["type"] = "classification";
  Oracle network(uniform_rule({.ordinary = 256}));
  const Measurement m = measured_on_text(byte_corpus(), trial_of({{"type", "causal_lm"}}), network,
                                         probe, folder / "cache");
  EXPECT_EQ(m.metrics.at("label.accuracy"), 1);
  EXPECT_NEAR(m.metrics.at("label.majority"), 0.5, 1e-9);
  EXPECT_EQ(m.details.at("labels"), Json({"first", "second"}));
  EXPECT_EQ(m.details.at("documents").at("training"),
            40);  // of 60 for 400 and 200 that are asked for
  EXPECT_EQ(m.details.at("documents").at("development"), 20);
  EXPECT_EQ(m.details.at("documents").at("test"), 40);
}

/// Pairs of equal texts and of unlike ones.
std::string pairs(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    const char *one = i / 2 % 2 ? "aaaa a" : "bbb bb", *other = i / 2 % 2 ? "bbb bb" : "aaaa a";
    const Json line = {
        {"text", one}, {"second", i % 2 ? one : other}, {"label", i % 2 ? "same" : "other"}};
    lines += line.dump() + "\n";
  }
  return lines;
}

// Linear in the states of both, no probe sees it; the difference of the two shows it.
TEST_F(LabelledProbe, TellsWhetherTextsAreEqualWhereTheyAreReadApart) {
  file("train.jsonl", pairs(120));
  file("test.jsonl", pairs(80));
  const auto accuracy = [&](const char* features) {
    Json probe = prepared({{"train", "train.jsonl"},
                           {"test", "test.jsonl"},
                           {"pair_field", "second"},
                           {"pair_features", features},
                           {"pooling", "mean"}});
    probe["type"] = "classification";
    Oracle network(uniform_rule({.ordinary = 256}));
    return measured_on_text(byte_corpus(), trial_of({{"type", "causal_lm"}}), network, probe,
                            folder / "cache")
        .metrics.at("label.accuracy");
  };
  EXPECT_EQ(accuracy("apart"), 1);
  EXPECT_LT(accuracy("together"), 0.8);
}

TEST(PairFeatures, AreBothTheirDifferenceAndTheirProduct) {
  const LayerFeatures made = pair_features(
      {.layer = 3, .pooling = "mean", .width = 2, .values = {1, 2, 3, -4, 0, 0, 5, 6}});
  EXPECT_EQ(made.width, 8);
  EXPECT_EQ(made.layer, 3);
  EXPECT_THAT(made.values, ElementsAre(1, 2, 3, -4, 2, 6, 3, -8, 0, 0, 5, 6, 5, 6, 0, 0));
  const std::vector<std::vector<Token>> documents = {
      {begin_token, 20, 21, separator_token, 22, end_token}, {begin_token, 20, 21}};
  EXPECT_THAT(texts_of_pairs(documents),
              ElementsAre(ElementsAre(begin_token, 20, 21, end_token),
                          ElementsAre(begin_token, 22, end_token), ElementsAre(begin_token, 20, 21),
                          ElementsAre(begin_token)))
      << "the second lost its end to a cut";
}

TEST_F(LabelledProbe, ChangesItsSettingsWithTheFilesContents) {
  file("train.jsonl", letters(30));
  file("test.jsonl", letters(30));
  const Json settings = {{"train", "train.jsonl"}, {"test", "test.jsonl"}};
  const Json before = prepared(settings);
  EXPECT_EQ(prepared(settings), before);
  file("test.jsonl", letters(32));
  EXPECT_NE(prepared(settings), before);
}

TEST_F(LabelledProbe, KnowsFilesByTheirContentsAndNotByTheirNames) {
  file("train.jsonl", letters(30));
  file("test.jsonl", letters(30));
  const Json before = prepared({{"train", "train.jsonl"}, {"test", "test.jsonl"}});
  std::filesystem::rename(folder / "test.jsonl", folder / "moved.jsonl");
  EXPECT_EQ(prepared({{"train", "train.jsonl"}, {"test", "moved.jsonl"}}), before);
}

TEST_F(LabelledProbe, RefusesASingleLabel) {
  file("train.jsonl", "{\"text\": \"a\", \"label\": 1}\n{\"text\": \"b\", \"label\": 1}\n");
  EXPECT_THROW(prepared({{"train", "train.jsonl"}, {"test", "train.jsonl"}}),
               std::invalid_argument);
}

TEST_F(LabelledProbe, RefusesHiddenLabelsWhereLabelsAreLearned) {
  const std::filesystem::path cases = project_root() / "tests/cases";
  const Json files = {{"train", (cases / "lab_train.jsonl").string()},
                      {"test", (cases / "lab_test_hidden.jsonl").string()}};
  for (const char* probe : {"classification", "fine_tuning", "prompting"})
    EXPECT_THROW(prepared(files, probe), std::invalid_argument) << probe;
  EXPECT_TRUE(prepared(files, "representation").contains("labelled")) << "it learns no label";
}

TEST_F(LabelledProbe, MakesNothingWhereNoFilesAreNamed) {
  EXPECT_FALSE(prepared(Json::object()).contains("labelled"));
}

/// A labelled corpus of as many documents in each part, each of one token of its own.
data::Corpus numbered(std::int64_t documents) {
  data::CorpusContent content{.pieces = std::vector<std::string>(64, "a"), .ordinary = 64};
  Json labels = Json::array();
  for (auto* part : {&content.training, &content.held_out}) {
    for (Token i = 0; i < documents; ++i)
      part->tokens.insert(part->tokens.end(), {begin_token, 16 + i, end_token});
    part->documents = documents;
  }
  for (std::int64_t i = 0; i < documents; ++i) labels.push_back(i % 2);
  content.about = {{"names", {"x", "y"}}, {"training", labels}, {"held_out", labels}};
  return stored(content);
}

/// The documents of a split, ascending, and whether each has its own label.
std::vector<Token> split_of(const Labelled& labelled, std::int64_t first, std::int64_t count) {
  std::vector<Token> drawn;
  for (std::int64_t i = first; i < first + count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    drawn.push_back(labelled.documents[at].at(1) - 16);
    EXPECT_EQ(labelled.labels[at], drawn.back() % 2);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

TEST(LabelledDocuments, AreDrawnBySeedWhereThereAreMoreThanAreAskedFor) {
  const data::Corpus corpus = numbered(40);
  const SplitCounts counts{8, 4, 10};
  const Labelled one = corpus_documents(corpus, counts, 24, 1);
  const Labelled two = corpus_documents(corpus, counts, 24, 2);
  EXPECT_EQ(one.documents, corpus_documents(corpus, counts, 24, 1).documents);
  for (const auto& [first, count] : {std::pair{0, 8}, {8, 4}, {12, 10}}) {
    EXPECT_NE(split_of(one, first, count), split_of(two, first, count)) << first;
    EXPECT_NE(split_of(one, first, count).back(), count - 1) << "the first documents of the file";
  }
}

// A file of tests is tested completely where that is asked for, as users of a corpus with its own
// split expect; only which documents are for training and which for development depends on the
// seed.
TEST(LabelledDocuments, AreAllReadWhereThereAreNoMoreThanAreAskedFor) {
  const data::Corpus corpus = numbered(12);
  const SplitCounts counts{8, 4, 400};
  const Labelled one = corpus_documents(corpus, counts, 24, 1);
  const Labelled two = corpus_documents(corpus, counts, 24, 2);
  EXPECT_EQ(one.counts.test, 12);
  EXPECT_EQ(split_of(one, 12, 12), split_of(two, 12, 12));
  EXPECT_EQ(split_of(one, 0, 12), split_of(two, 0, 12));
  EXPECT_NE(split_of(one, 0, 8), split_of(two, 0, 8));
}

TEST_F(LabelledProbe, KeepsTenTimesAsManyDocumentsAsATrialDraws) {
  file("train.jsonl", letters(400));
  file("test.jsonl", letters(90));
  const Json probe = prepared({{"train", "train.jsonl"},
                               {"test", "test.jsonl"},
                               {"training_documents", 20},
                               {"development_documents", 10},
                               {"test_documents", 10}});
  const data::Corpus labelled =
      data::Corpus::open(folder / "cache" / (probe.at("labelled").get<std::string>() + ".corpus"));
  EXPECT_EQ(labelled.training().documents, 300);
  EXPECT_EQ(labelled.held_out().documents, 90);
}

TEST_F(LabelledProbe, RefusesACorpusWhoseLabelsDoNotFitItsDocuments) {
  data::CorpusContent content{.pieces = {"a"}, .ordinary = 1};
  content.training.tokens = content.held_out.tokens = {begin_token, 16, end_token};
  content.training.documents = content.held_out.documents = 1;
  content.about = {{"names", {"x"}}, {"training", {7}}, {"held_out", {0}}};
  EXPECT_THROW(corpus_documents(stored(content), {10, 10, 10}, 24, 1), DamagedFile);
  content.about["training"] = Json::array();
  EXPECT_THROW(corpus_documents(stored(content), {10, 10, 10}, 24, 1), DamagedFile);
}

}  // namespace
}  // namespace ablate::probes
