// The pages of venues.

#include "reports/formats/venue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace ablate::reports {
namespace {

TEST(Venue, HasTheWidthsOfItsStyle) {
  EXPECT_EQ(venue_named("neurips").column, 5.5);
  EXPECT_FALSE(venue_named("neurips").two_columns());
  EXPECT_EQ(venue_named("icml").column, 3.25);
  EXPECT_EQ(venue_named("icml").page, 6.75);
  EXPECT_TRUE(venue_named("acl").two_columns());
  for (const std::string_view name : venue_names()) {
    const Venue venue = venue_named(name);
    EXPECT_TRUE(venue.page == venue.column || venue.page > 2 * venue.column) << name;
    EXPECT_GE(venue.points, 8) << name;
  }
}

TEST(Venue, IsRefusedWithTheListWhereItIsNotKnown) {
  EXPECT_THAT(
      [] { venue_named("NeurIPS"); },
      testing::ThrowsMessage<std::invalid_argument>(testing::AllOf(
          testing::HasSubstr("--venue: no venue is named 'NeurIPS'; those known are aaai, "),
          testing::HasSubstr("neurips"))));
}

}  // namespace
}  // namespace ablate::reports
