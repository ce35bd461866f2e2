// Tagging: entities by exact borders and type, words by their first token.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/probes/specs.h"
#include "harness/probes/tagging/entities.h"
#include "harness/probes/tagging/tagged_files_spec.h"
#include "tests/harness/probes/byte_tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Tags = std::vector<std::string>;

TEST(Entities, AreRunsOfOneType) {
  EXPECT_EQ(entities_of(Tags{"O", "B-a", "I-a", "O"}), (std::vector<Entity>{{1, 3, "a"}}));
  EXPECT_EQ(entities_of(Tags{"B-a", "B-a"}), (std::vector<Entity>{{0, 1, "a"}, {1, 2, "a"}}));
  EXPECT_TRUE(entities_of(Tags{"O", "O"}).empty());
  EXPECT_TRUE(entities_of({}).empty());
}

// Strict IOB2: an I tag after O, after another type or at the beginning is of no entity, and so is
// an I tag of its type after it.
TEST(Entities, AreOpenedByBTagsAlone) {
  EXPECT_EQ(entities_of(Tags{"B-a", "I-b"}), (std::vector<Entity>{{0, 1, "a"}}));
  EXPECT_EQ(entities_of(Tags{"B-a", "I-b", "I-a"}), (std::vector<Entity>{{0, 1, "a"}}));
  EXPECT_TRUE(entities_of(Tags{"I-a", "I-a"}).empty());
  EXPECT_EQ(entities_of(Tags{"B-a", "O", "I-a"}), (std::vector<Entity>{{0, 1, "a"}}));
}

// Words that were not read are no entities: the one that ends among them is missed, too.
TEST(Entities, BeyondWhatWasReadAreMissed) {
  EntityCounts counts;
  add_entities(Tags{"B-a", "O", "B-b"}, Tags{"B-a", "O", "B-b", "I-b", "B-a"}, counts);
  EXPECT_EQ(counts.right, 1);
  EXPECT_EQ(counts.labelled, 3);
}

// Of three entities two are found with their exact borders; two more are named: 2 * 2 / (4 + 3).
TEST(Entities, CountOnlyWithExactBordersAndType) {
  EntityCounts counts;
  add_entities(Tags{"B-a", "O", "B-b", "I-b", "O", "B-a"}, Tags{"B-a", "O", "B-b", "O", "O", "B-a"},
               counts);
  add_entities(Tags{"B-a"}, Tags{"O"}, counts);
  EXPECT_EQ(counts.right, 2);
  EXPECT_DOUBLE_EQ(counts.f1(), 4.0 / 7);
  EXPECT_EQ(EntityCounts().f1(), 0);
}

class Tagged : public ::testing::Test {
 protected:
  Tagged() : folder_(scratch_folder("tagged")) {}
  ~Tagged() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  /// The probe "entities" on a network whose last layer is the token.
  Measurement measured_by_tokens(const std::string& train, const std::string& test) const;

  std::filesystem::path folder_;
};

// Bytes: the space before a word is a token that does not stand for it.
TEST_F(Tagged, WordsStandAtTheirFirstToken) {
  const data::CorpusContent content =
      tagged_content({{{"ab", "c"}, {"O", "B-x"}, {}}}, {{{"d"}, {"O"}, {}}}, ByteTokenizer());
  EXPECT_EQ(content.about.at("names"), Json({"B-x", "O"}));
  EXPECT_EQ(content.about.at("training"), Json({{1, 1, 4, 0}}));
  EXPECT_EQ(content.training.tokens[4], 16 + 'c');
}

/// So many copies of a sentence.
std::string repeated(const std::string& sentence, int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += sentence + "\n";
  return lines;
}

Measurement Tagged::measured_by_tokens(const std::string& train, const std::string& test) const {
  file("train", train);
  file("test", test);
  const ProbeSpec& spec = Catalog{.probes = probe_specs()}.probe("tagging");
  Json probe = spec.prepare(
      Params(spec.params, {{"train", "train"}, {"test", "test"}, {"name", "entities"}}),
      {.folder_of = [this](const std::string&) { return folder_; },
       .cache = folder_ / "cache",
       .tokenizer = [] { return std::make_shared<const ByteTokenizer>(); }});
  probe["type"] = "tagging";
  Oracle network(uniform_rule({.ordinary = 256}));  // its last layer is the token
  return measured_on_text(byte_corpus(), trial_of({{"type", "causal_lm"}}), network, probe,
                          folder_ / "cache");
}

// What was read as no entity at all: accuracy 1 beside F1 0.
TEST_F(Tagged, ProbeFindsTheSameEntitiesInEveryScheme) {
  const auto measured = [&](const std::string& scheme, const std::string& lines) {
    const Measurement m = measured_by_tokens(repeated(lines, 60), repeated(lines, 60));
    EXPECT_EQ(m.metrics.at("entities.f1"), 1) << scheme;
    EXPECT_EQ(m.details.at("entities").at("labelled"), 60) << scheme;
    EXPECT_EQ(m.details.at("sentences").at("test"), 60) << scheme;
    return m.details.value("schemes", Json());
  };
  EXPECT_TRUE(measured("IOB2", "x\tO\ny\tB-p\nz\tI-p\n").is_null());
  EXPECT_EQ(measured("IOBES", "x\tO\ny\tB-p\nz\tE-p\n"),
            Json({{"train", "IOBES"}, {"test", "IOBES"}}));
  EXPECT_EQ(measured("last", "x\tO\ny\tp-B\nz\tp-I\n").at("test"), "IOB2, written as 'p-B'");
}

TEST_F(Tagged, FilesWithoutAnEntityAreRefused) {
  EXPECT_THROW(measured_by_tokens("x\tO\n", "x\tO\n"), std::runtime_error);
}

TEST_F(Tagged, ProbeNamesTagsThatATokenGivesAway) {
  const std::string lines = repeated("x\tO\ny\tB-p\nz\tI-p\nx\tO\n", 60);
  const Measurement m = measured_by_tokens(lines, lines);
  EXPECT_EQ(m.metrics.at("entities.f1"), 1);
  EXPECT_EQ(m.metrics.at("entities.accuracy"), 1);
  EXPECT_EQ(m.metrics.at("entities.majority"), 0.5);
  EXPECT_EQ(m.metrics.at("entities.beyond_context"), 0);
  EXPECT_EQ(m.details.at("entities").at("labelled"), 60);
}

// Its network tells every token apart, so labels by token are learned as well as tags by token.
TEST_F(Tagged, ATokenThatGivesTheTagAwayIsNotSelective) {
  const std::string lines = repeated("x\tO\ny\tB-p\nz\tI-p\nx\tO\n", 60);
  const Measurement m = measured_by_tokens(lines, lines);
  EXPECT_EQ(m.metrics.at("entities.selectivity"), 0);
  const Json& items = m.details.at("items").at("entities.accuracy");
  EXPECT_EQ(items.size(), 60u);  // one a sentence
  EXPECT_EQ(items.at(0), 1.0);
}

// The context has 24 tokens: a begin token and 12 words of a letter and the space before it. Of two
// entities the second begins at word 13; half of them cannot be found, so recall is 1/2.
TEST_F(Tagged, EntitiesBeyondTheContextCountAsMissed) {
  const std::string read = "y\tB-p\n" + repeated("x\tO", 11), beyond = "x\tO\ny\tB-p\n";
  const std::string lines = repeated(read + beyond, 30);
  const Measurement m = measured_by_tokens(lines, lines);
  EXPECT_EQ(m.metrics.at("entities.beyond_context"), 0.5);
  EXPECT_DOUBLE_EQ(m.metrics.at("entities.f1"), 2.0 / 3);
  EXPECT_EQ(m.metrics.at("entities.accuracy"), 1);
  EXPECT_EQ(m.details.at("entities").at("labelled"), 60);
}

}  // namespace
}  // namespace ablate::probes
