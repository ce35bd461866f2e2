// Schemes of tags: told apart, converted without loss, and refused where an entity would be guessed.

#include "harness/probes/tagging/tag_schemes_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "harness/base/rng.h"

namespace ablate::probes {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Tags = std::vector<std::string>;

/// A sentence of these tags, from the line of this number on.
TaggedSentence tagged(const Tags& tags, std::size_t line = 1) {
  TaggedSentence sentence{Tags(tags.size(), "word"), tags, {}};
  for (std::size_t i = 0; i < tags.size(); ++i) sentence.lines.push_back(line + i);
  return sentence;
}

/// Random sentences in IOB2, entities of two types side by side among them.
std::vector<TaggedSentence> random_sentences() {
  std::vector<TaggedSentence> sentences = {tagged({"B-PER", "I-PER", "B-PER", "O", "B-LOC"})};
  Rng rng(7);
  for (int s = 0; s < 200; ++s) {
    Tags tags;
    while (tags.size() < 8) {
      const std::string type = rng.below(2) == 0 ? "PER" : "geo-loc_2";
      const std::uint64_t words = rng.below(4);
      for (std::uint64_t i = 0; i < words; ++i) tags.push_back((i == 0 ? "B-" : "I-") + type);
      if (words == 0) tags.emplace_back("O");
    }
    sentences.push_back(tagged(tags));
  }
  return sentences;
}

/// The same entities in a scheme with letters that begin, continue, end, and are single.
void write_closed(std::vector<TaggedSentence>& sentences, std::string_view letters) {
  for (TaggedSentence& sentence : sentences)
    for (std::size_t i = 0; i < sentence.tags.size(); ++i) {
      std::string& tag = sentence.tags[i];
      if (tag == "O") continue;
      const bool first = tag[0] == 'B';
      const bool last = i + 1 == sentence.tags.size() || sentence.tags[i + 1][0] != 'I';
      tag[0] = letters[first ? (last ? 3 : 0) : (last ? 2 : 1)];
    }
}

/// The same entities with B only behind another entity of the same type.
void write_iob1(std::vector<TaggedSentence>& sentences) {
  for (TaggedSentence& sentence : sentences)
    for (std::size_t i = sentence.tags.size(); i-- > 0;) {
      std::string& tag = sentence.tags[i];
      if (tag == "O") continue;
      if (i == 0 || sentence.tags[i - 1].substr(1) != tag.substr(1)) tag[0] = 'I';
    }
}

/// Rewrites every tag but O.
template <class Rewrite>
std::vector<TaggedSentence> rewritten(std::vector<TaggedSentence> sentences, Rewrite rewrite) {
  for (TaggedSentence& sentence : sentences)
    for (std::string& tag : sentence.tags)
      if (tag != "O") tag = rewrite(tag);
  return sentences;
}

Tags all_tags(const std::vector<TaggedSentence>& sentences) {
  Tags all;
  for (const TaggedSentence& sentence : sentences)
    all.insert(all.end(), sentence.tags.begin(), sentence.tags.end());
  return all;
}

TEST(TagSchemes, AreConvertedToTheEntitiesThatTheyWereWrittenFrom) {
  const std::vector<TaggedSentence> iob2 = random_sentences();
  const auto converts = [&](std::vector<TaggedSentence> sentences, const std::string& name) {
    EXPECT_EQ(convert_to_iob2(sentences, "f").name, name);
    EXPECT_EQ(all_tags(sentences), all_tags(iob2)) << name;
  };
  converts(iob2, "IOB2");
  for (const auto& [name, letters] :
       {std::pair{"IOBES", "BIES"}, {"BILOU", "BILU"}, {"BMES", "BMES"}, {"BMEWO", "BMEW"}}) {
    std::vector<TaggedSentence> sentences = iob2;
    write_closed(sentences, letters);
    converts(sentences, name);
  }
  std::vector<TaggedSentence> sentences = iob2;
  write_iob1(sentences);
  converts(sentences, "IOB1");
}

TEST(TagSchemes, AreReadHoweverATagIsWritten) {
  const std::vector<TaggedSentence> iob2 = random_sentences();
  const auto converts = [&](auto rewrite) {
    std::vector<TaggedSentence> sentences = rewritten(iob2, rewrite);
    const TagScheme scheme = convert_to_iob2(sentences, "f");
    EXPECT_EQ(all_tags(sentences), all_tags(iob2)) << scheme.text();
    return scheme.text();
  };
  const auto lower = [](const std::string& tag) { return std::string(tag[0] == 'B' ? "b" : "i"); };
  EXPECT_EQ(converts([](const std::string& tag) { return tag; }), "IOB2");
  EXPECT_EQ(converts([](const std::string& tag) { return tag.substr(0, 1) + "_" + tag.substr(2); }),
            "IOB2, written as 'B_PER'");
  EXPECT_EQ(converts([](const std::string& tag) { return tag.substr(2) + "-" + tag.substr(0, 1); }),
            "IOB2, written as 'PER-B'");
  EXPECT_EQ(converts([](const std::string& tag) { return tag.substr(2) + "_" + tag.substr(0, 1); }),
            "IOB2, written as 'PER_B'");
  EXPECT_EQ(converts([&](const std::string& tag) { return lower(tag) + tag.substr(1); }),
            "IOB2, written as 'b-PER'");
}

TEST(TagSchemes, OfLettersAloneHaveEntitiesOfOneType) {
  std::vector<TaggedSentence> sentences = {tagged({"O", "B", "I", "B"})};
  EXPECT_EQ(convert_to_iob2(sentences, "f").text(), "IOB2, written as 'B'");
  EXPECT_THAT(sentences[0].tags, ElementsAre("O", "B-entity", "I-entity", "B-entity"));
  sentences = {tagged({"o", "s", "b", "e"})};
  EXPECT_EQ(convert_to_iob2(sentences, "f").text(), "IOBES, written as 's'");
  EXPECT_THAT(sentences[0].tags, ElementsAre("O", "B-entity", "B-entity", "I-entity"));
}

std::string refusal_of(std::vector<TaggedSentence> sentences) {
  try {
    convert_to_iob2(sentences, "f.conll");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted as " + all_tags(sentences).front();
}

// A type without a letter does not tell two entities side by side from one; nor do parts of speech.
TEST(TagSchemes, AreRefusedByLineWhereATagDoesNotSayWhereAnEntityBegins) {
  EXPECT_THAT(refusal_of({tagged({"O", "LOC", "O"})}),
              AllOf(HasSubstr("f.conll:2: the tag 'LOC' does not say where an entity begins"),
                    HasSubstr("give the first word of each entity B-TYPE")));
  EXPECT_THAT(refusal_of({tagged({"NN", "VB"})}), HasSubstr("f.conll:1: the tag 'NN'"));
  EXPECT_THAT(refusal_of({tagged({"O", "B-a"}), tagged({"I-a"}, 4), tagged({"a-B"}, 6)}),
              HasSubstr("f.conll:6: the tag 'a-B'"));
  EXPECT_THAT(refusal_of({tagged({"B-", "O"})}), HasSubstr("f.conll:1: the tag 'B-'"));
  EXPECT_THAT(refusal_of({tagged({"O", "_"})}), HasSubstr("f.conll:2: the tag '_'"));
}

TEST(TagSchemes, AreRefusedByLineWhereTheyAreMixed) {
  EXPECT_THAT(refusal_of({tagged({"S-a", "O", "U-a"})}),
              HasSubstr("f.conll:3: the tags 'S-a' and 'U-a' belong to no one scheme"));
  EXPECT_THAT(refusal_of({tagged({"O"}), tagged({"B-x", "I-y"}, 3)}),
              AllOf(HasSubstr("f.conll:4: 'I-y' continues no entity of its type"),
                    HasSubstr("line 3 has 'B-x'")));
}

TEST(TagSchemes, AreRefusedByLineWhereAnEntityIsNotClosed) {
  EXPECT_THAT(refusal_of({tagged({"S-a", "B-a", "O"})}),
              AllOf(HasSubstr("f.conll:2: 'B-a' is of an entity that does not end"),
                    HasSubstr("the tags are IOBES, where B begins")));
  EXPECT_THAT(refusal_of({tagged({"U-a", "B-a"})}), HasSubstr("f.conll:2: 'B-a' is of an entity"));
  EXPECT_THAT(refusal_of({tagged({"O", "E-a"})}), HasSubstr("f.conll:2: 'E-a' continues no"));
  EXPECT_THAT(refusal_of({tagged({"B-a", "E-b"})}), HasSubstr("f.conll:2: 'E-b' continues no"));
}

}  // namespace
}  // namespace ablate::probes
