#include "harness/train/network/decoding_state.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace ablate::train {
namespace {

using ::testing::ElementsAre;

/// A state of three rows, in whose tensor row r holds the number r.
DecodingState three_rows() {
  DecodingState state;
  state.lengths = {4, 5, 6};
  state.mixers = {{}, {at::arange(3).view({1, 3, 1}).clone()}};
  return state;
}

std::vector<std::int64_t> numbers(const DecodingState& state) {
  const at::Tensor flat = state.mixers[1][0].flatten().contiguous();
  return {flat.data_ptr<std::int64_t>(), flat.data_ptr<std::int64_t>() + flat.numel()};
}

TEST(DecodingState, SelectsRowsWithWhatIsKeptOfThem) {
  DecodingState state = three_rows();
  state.select({2, 2, 0, 1});
  EXPECT_THAT(state.lengths, ElementsAre(6, 6, 4, 5));
  EXPECT_THAT(numbers(state), ElementsAre(2, 2, 0, 1));
  state.select({});
  EXPECT_TRUE(state.lengths.empty());
}

TEST(DecodingState, DoesNotCopyWhereAllRowsAreKept) {
  DecodingState state = three_rows();
  const void* const before = state.mixers[1][0].data_ptr();
  state.select({0, 1, 2});
  EXPECT_EQ(state.mixers[1][0].data_ptr(), before);
}

TEST(DecodingState, RefusesRowsThatItDoesNotHave) {
  DecodingState state = three_rows();
  EXPECT_THROW(state.select({0, 3}), std::logic_error);
  EXPECT_THROW(state.select({-1}), std::logic_error);
  EXPECT_THAT(state.lengths, ElementsAre(4, 5, 6));
}

TEST(DecodingState, CutsRowsNoFurtherThanTheyReach) {
  DecodingState state = three_rows();
  state.truncate({0, 5, 2});
  EXPECT_THAT(state.lengths, ElementsAre(0, 5, 2));
  EXPECT_THROW(state.truncate({0, 5, 3}), std::logic_error);
  EXPECT_THROW(state.truncate({0, -1, 2}), std::logic_error);
  EXPECT_THROW(state.truncate({0, 5}), std::logic_error);
  state.truncates = false;
  EXPECT_THROW(state.truncate({0, 4, 2}), std::logic_error);
  state.truncate({0, 0, 2});
  EXPECT_THAT(state.lengths, ElementsAre(0, 0, 2));
}

}  // namespace
}  // namespace ablate::train
