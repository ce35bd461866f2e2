// The time of day as text, and back.

#include "harness/base/time/clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace ablate {
namespace {

TEST(Clock, ReadsItsOwnText) {
  using namespace std::chrono;
  const auto before = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  const auto read = milliseconds_since_1970(utc_now());
  const auto after = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  ASSERT_TRUE(read);
  EXPECT_LE(before, *read);
  EXPECT_LE(*read, after);
  EXPECT_EQ(milliseconds_since_1970("1970-01-01T00:00:01.005Z"), 1005);
}

TEST(Clock, KnowsNoOtherForm) {
  for (const char* text : {"", "yesterday", "2026-11-23T12:00:00Z", "2026-11-23T12:00:00.000",
                           "2026-11-23T12:00:00.000Z and more", "2026-11-23 12:00:00.000Z"})
    EXPECT_FALSE(milliseconds_since_1970(text)) << text;
}

}  // namespace
}  // namespace ablate
