#include "harness/base/names.h"

#include <gtest/gtest.h>

#include "harness/base/rng.h"

namespace ablate {
namespace {

TEST(Edits, CountsLettersAddedDroppedChangedAndSwapped) {
  EXPECT_EQ(edits("", ""), 0u);
  EXPECT_EQ(edits("rate", ""), 4u);
  EXPECT_EQ(edits("rate", "rates"), 1u);
  EXPECT_EQ(edits("rate", "rte"), 1u);
  EXPECT_EQ(edits("rate", "rake"), 1u);
  EXPECT_EQ(edits("rate", "rtae"), 1u);
  EXPECT_EQ(edits("ca", "abc"), 3u);  // no letter is edited twice
}

std::string random_name(Rng& rng) {
  std::string name;
  for (std::int64_t left = rng.below(7); left > 0; --left)
    name += static_cast<char>('a' + rng.below(3));
  return name;
}

TEST(Edits, IsSymmetricAndWithinItsBounds) {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const std::string a = random_name(rng), b = random_name(rng);
    const std::size_t count = edits(a, b);
    EXPECT_EQ(count, edits(b, a));
    EXPECT_EQ(count == 0, a == b);
    EXPECT_LE(count, std::max(a.size(), b.size()));
    EXPECT_GE(count, std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
    EXPECT_EQ(edits(a + "x", b + "x"), count);
  }
}

constexpr std::string_view kNames[] = {"causal_lm", "masked_lm", "span_corruption"};

TEST(Nearest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(nearest("casual_lm", kNames), "causal_lm");
  EXPECT_EQ(nearest("maskedlm", kNames), "masked_lm");
  EXPECT_EQ(nearest("span_coruption", kNames), "span_corruption");
  for (const std::string_view name : kNames) EXPECT_EQ(nearest(name, kNames), name);
}

TEST(Nearest, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest("dropout", kNames), "");
  EXPECT_EQ(nearest("", kNames), "");
  EXPECT_EQ(nearest(std::string(1'000'000, 'x'), kNames), "");
  EXPECT_EQ(nearest("x", {}), "");
  constexpr std::string_view kShort[] = {"a", "of"};
  EXPECT_EQ(nearest("xy", kShort), "") << "a name that shares no letter";
}

TEST(Listed, PutsCommasBetween) {
  EXPECT_EQ(listed(kNames), "causal_lm, masked_lm, span_corruption");
  EXPECT_EQ(listed({}), "");
}

}  // namespace
}  // namespace ablate
