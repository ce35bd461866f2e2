#include "harness/plan/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/catalog.h"
#include "tests/harness/plan/small_catalog.h"

namespace ablate {
namespace {

using testing::HasSubstr;
using testing_support::small_catalog;

TEST(Describe, TellsOfOneMember) {
  EXPECT_EQ(description(small_catalog(), "hide"),
            "hide: some tokens\n"
            "\n"
            "a b -> a ? -> b\n"
            "\n"
            "Source: none\n"
            "\n"
            "Settings: name, default, accepted, meaning\n"
            "  rate                  0.15          [0.01, 0.99]  fraction hidden\n"
            "  sentinels             0             [0, 100]  that it needs\n"
            "  order                 \"mixed\"       mixed|sorted  of what is hidden\n");
}

TEST(Describe, KnowsEveryMemberOfTheRealFamiliesByName) {
  const Json all = describe(catalog(), "");
  for (const char* family : {"objectives", "backbones", "probes", "corpora", "metrics"}) {
    EXPECT_FALSE(all[family].empty()) << family;
    EXPECT_EQ(describe(catalog(), family), all[family]);
    for (const Json& member : all[family]) {
      const std::string name = member["name"];
      EXPECT_EQ(describe(catalog(), name), member);
      EXPECT_THAT(description(catalog(), name), HasSubstr(name));
    }
  }
}

TEST(Describe, TellsOfAllWithoutCuttingAWord) {
  const std::string text = description(catalog(), "");
  EXPECT_THAT(text, HasSubstr("  language  the built-in hidden Markov language"));
  EXPECT_THAT(text, HasSubstr("  text      files and folders of your own"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  std::string flat;  // wrapped lines joined again
  for (const char c : text)
    if ((c != ' ' && c != '\n') || (!flat.empty() && flat.back() != ' '))
      flat += c == '\n' ? ' ' : c;
  for (const Json& metric : describe(catalog(), "metrics"))
    EXPECT_THAT(flat, HasSubstr(metric["meaning"].get<std::string>()));
}

TEST(Describe, NamesTheNearest) {
  try {
    describe(small_catalog(), "hid");
    FAIL() << "a misspelt name was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "nothing is named 'hid'; did you mean 'hide'?");
  }
}

}  // namespace
}  // namespace ablate
