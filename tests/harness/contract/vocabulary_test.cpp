// The layout of the vocabulary and the names of special ids.

#include "harness/contract/vocabulary.h"

#include <gmock/gmock.h>

#include <set>

namespace ablate {
namespace {

TEST(Vocabulary, HasRoomForSpecialOrdinaryAndSentinelIdsInThisOrder) {
  const Vocabulary vocabulary{.ordinary = 10, .sentinels = 3};
  EXPECT_EQ(vocabulary.size(), 16 + 10 + 3);
  EXPECT_FALSE(vocabulary.is_ordinary(15));
  EXPECT_TRUE(vocabulary.is_ordinary(16));
  EXPECT_TRUE(vocabulary.is_ordinary(25));
  EXPECT_FALSE(vocabulary.is_ordinary(26));
  EXPECT_FALSE(vocabulary.is_ordinary(-1));
}

TEST(Vocabulary, SentinelsCountDownFromTheTopAndAreDistinct) {
  const Vocabulary vocabulary{.ordinary = 10, .sentinels = 3};
  EXPECT_EQ(vocabulary.sentinel(0), vocabulary.size() - 1);
  std::set<Token> seen;
  for (int i = 0; i < 3; ++i) {
    const Token sentinel = vocabulary.sentinel(i);
    EXPECT_GE(sentinel, vocabulary.end_ordinary());
    EXPECT_LT(sentinel, vocabulary.size());
    seen.insert(sentinel);
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST(Vocabulary, SaysThatASentinelIsNotReserved) {
  const Vocabulary vocabulary{.ordinary = 10, .sentinels = 3};
  EXPECT_THAT([&] { vocabulary.sentinel(3); },
              testing::ThrowsMessage<std::invalid_argument>(
                  testing::HasSubstr("sentinel 3 does not exist: the vocabulary reserves 3")));
  EXPECT_THROW(vocabulary.sentinel(-1), std::invalid_argument);
}

TEST(SpecialName, IsDistinctAndGivenForAllIdsInUse) {
  std::set<std::string_view> names;
  for (Token token = 0; token < special_count; ++token)
    if (token != 14 && token != 15) names.insert(special_name(token));
  EXPECT_EQ(names.size(), 14u);
  EXPECT_FALSE(names.contains(""));
  for (const Token token : {14, 15, 16, -1}) EXPECT_EQ(special_name(token), "");
  EXPECT_EQ(special_name(mask_token), "<mask>");
  EXPECT_EQ(special_name(end_middle_token), "<end_middle>");
  EXPECT_EQ(special_name(unknown_token), "<unknown>");
}

}  // namespace
}  // namespace ablate
