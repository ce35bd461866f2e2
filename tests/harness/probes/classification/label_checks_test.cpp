// Labels that cannot be named are refused, and what is probably a slip is told.

#include "harness/probes/classification/label_checks_spec.h"
#include "tests/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate::probes {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kLabelledCases = project_root() / "tests/cases";

/// What a plan says of two files.
struct Said {
  std::vector<std::string> notes, warnings;
  std::string refusal;
};

Said checked(const LabelledLines& train, const LabelledLines& test,
             const Json& settings = {{"training_documents", 10},
                                     {"development_documents", 10},
                                     {"test_documents", 10}},
             bool learned = true) {
  Said said;
  const Preparation preparation{
      .note = [&](const std::string& what) { said.notes.push_back(what); },
      .warn = [&](const std::string& what) { said.warnings.push_back(what); }};
  try {
    check_labels(train, test, Params(labelled_params(), settings), learned, preparation);
  } catch (const std::invalid_argument& error) {
    said.refusal = error.what();
  }
  return said;
}

LabelledLines lines_of(const char* name) {
  return read_labelled(kLabelledCases / name, {.text = "text", .label = "label"});
}

/// Twenty documents whose labels are these, one after the other.
LabelledLines labelled(const std::vector<std::string>& labels, const std::string& checksum) {
  LabelledLines lines{.checksum = checksum};
  for (std::size_t i = 0; i < 20; ++i) {
    lines.texts.push_back(checksum + std::to_string(i));
    lines.labels.push_back(labels[i % labels.size()]);
  }
  return lines;
}

TEST(LabelChecks, RefuseTestLabelsThatTrainingNeverHas) {
  const LabelledLines train = lines_of("lab_train.jsonl");
  EXPECT_THAT(checked(train, lines_of("lab_test_hidden.jsonl")).refusal,
              HasSubstr("test: its labels are '-1', and train has none of them, but '0', '1'"));
  EXPECT_THAT(checked(train, lines_of("lab_test_str.jsonl")).refusal,
              HasSubstr("test: its labels are 'negative', 'positive'"));
  EXPECT_EQ(checked(train, lines_of("lab_test.jsonl")).refusal, "");
}

// Retrieval learns no label: documents of one label belong together whatever it is called.
TEST(LabelChecks, LetLabelsBeComparedThatAreNotLearned) {
  const Said said = checked(labelled({"x", "y"}, "1"), labelled({"u", "v"}, "2"),
                            {{"development_documents", 10}, {"test_documents", 10}}, false);
  EXPECT_EQ(said.refusal, "");
  EXPECT_THAT(said.warnings, IsEmpty());
}

TEST(LabelChecks, CountDocumentsWhoseLabelsTrainingNeverHas) {
  const Said said = checked(labelled({"x", "y"}, "1"), labelled({"x", "y", "x", "z"}, "2"));
  EXPECT_EQ(said.refusal, "");
  EXPECT_THAT(said.warnings,
              ElementsAre(HasSubstr("5 of 20 test documents have labels that train does not have: "
                                    "'z'; no model can name them, so at most 75 %")));
}

TEST(LabelChecks, TellLabelsThatDifferInWhiteSpaceOrCapitalsAlone) {
  const Said said = checked(labelled({"good", "bad"}, "1"), labelled({"good ", "bad"}, "2"));
  EXPECT_THAT(said.warnings, Contains(HasSubstr("different labels: 'good' and 'good '")));
  EXPECT_THAT(checked(labelled({"Good", "bad"}, "1"), labelled({"good", "bad"}, "2")).warnings,
              Contains(HasSubstr("'Good' and 'good'")));
}

TEST(LabelChecks, CountTextsThatOccurWithSeveralLabels) {
  LabelledLines train = labelled({"x", "y"}, "1");
  train.texts[1] = train.texts[3] = train.texts[0];  // x, y and y
  EXPECT_THAT(
      checked(train, labelled({"x", "y"}, "2")).warnings,
      Contains("train: texts that occur with several labels: 1; no model can be right about "
               "all of them"));
}

TEST(LabelChecks, TellLabelsThatLookAlike) {
  EXPECT_THAT(checked(labelled({"café", "x"}, "1"), labelled({"cafe\u0301", "x"}, "2")).warnings,
              Contains(HasSubstr("'cafe\\u0301' and 'café'")));
  EXPECT_THAT(checked(labelled({"a b", "x"}, "1"), labelled({"a\u00A0b", "x"}, "2")).warnings,
              Contains(HasSubstr("'a b' and 'a\\u00a0b'")));
}

TEST(LabelChecks, TellOneFileThatIsGivenAsBoth) {
  const LabelledLines lines = labelled({"x", "y"}, "1");
  EXPECT_THAT(checked(lines, lines).warnings, ElementsAre(HasSubstr("are the same file")));
}

TEST(LabelChecks, CountTestDocumentsThatWereTrainedOn) {
  LabelledLines train = labelled({"x", "y"}, "1"), test = labelled({"x", "y"}, "2");
  test.texts[0] = train.texts[3];
  test.texts[2] = train.texts[3];  // of the same label
  EXPECT_THAT(checked(train, test).warnings,
              ElementsAre(HasSubstr("2 of 20 test documents are also in train")));
  EXPECT_THAT(checked(train, test).notes, Contains(HasSubstr("; 1 are copies of others")));
  train.seconds.assign(20, "one");  // the second text of a pair is another
  test.seconds.assign(20, "other");
  EXPECT_THAT(checked(train, test).warnings, IsEmpty());
}

TEST(LabelChecks, TellATestThatHasOneLabel) {
  EXPECT_THAT(checked(labelled({"x", "y"}, "1"), labelled({"x"}, "2")).warnings,
              ElementsAre(HasSubstr("all test documents have the label 'x'")));
}

// 12 documents where 400 + 200 are asked for.
TEST(LabelChecks, SayHowManyDocumentsThereAreOfThoseAskedFor) {
  const Said said = checked(lines_of("lab_few.jsonl"), lines_of("lab_test.jsonl"), Json::object());
  EXPECT_THAT(said.notes,
              ElementsAre("train: 12 documents with 2 labels: '0' (5), '1' (7)",
                          HasSubstr("test: 60 documents with 2 labels"),
                          "each trial takes 8 documents for training, 4 to choose settings on, 60 "
                          "to test on"));
  EXPECT_THAT(said.warnings,
              ElementsAre(HasSubstr("there are 12 training and development documents of the 600"),
                          HasSubstr("there are 60 test documents of the 400"),
                          HasSubstr("1 of 60 test documents are also in train")));
}

}  // namespace
}  // namespace ablate::probes
