// What a plan says of files that probes read: too few, copies, and how they are split.

#include "harness/probes/file_notes_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ablate::probes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(FileNotes, WarnOfFewerThanAreAskedFor) {
  std::vector<std::string> said;
  const Preparation preparation{.warn = [&](const std::string& what) { said.push_back(what); }};
  warn_of_few(preparation, "test pairs", 200, 200);
  EXPECT_THAT(said, IsEmpty());
  warn_of_few(preparation, "test pairs", 199, 200);
  EXPECT_THAT(said, ElementsAre(HasSubstr("there are 199 test pairs of the 200 asked for")));
}

TEST(FileNotes, CountTestItemsThatAreInTrainAsWell) {
  std::vector<std::string> said;
  const Preparation preparation{.warn = [&](const std::string& what) { said.push_back(what); }};
  warn_of_copies(preparation, "sentences", {"a", "b"}, {"c", "A"});
  EXPECT_THAT(said, IsEmpty());
  warn_of_copies(preparation, "sentences", {"a", "b"}, {"b", "c", "b"});
  EXPECT_THAT(said, ElementsAre(HasSubstr("2 of 3 test sentences are also in train")));
  EXPECT_EQ(copies_in({"a", "b", "a", "a"}), 2);
}

// 12 for 400 + 200.
TEST(FileNotes, SplitInProportionWhereThereAreFew) {
  const auto split = [](std::int64_t found, std::int64_t training, std::int64_t development) {
    const SplitTrain made = split_train(found, training, development);
    return std::pair(made.training, made.development);
  };
  EXPECT_EQ(split(12, 400, 200), std::pair(std::int64_t{8}, std::int64_t{4}));
  EXPECT_EQ(split(1000, 400, 200), std::pair(std::int64_t{400}, std::int64_t{200}));
  EXPECT_EQ(split(12, 0, 200), std::pair(std::int64_t{0}, std::int64_t{12}));
  EXPECT_EQ(split(12, 0, 0), std::pair(std::int64_t{0}, std::int64_t{0}));
}

}  // namespace
}  // namespace ablate::probes
