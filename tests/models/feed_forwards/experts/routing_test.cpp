// Where the choices of places go.

#include "models/feed_forwards/experts/routing.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <set>

namespace ablate::models {
namespace {

constexpr std::int64_t kRoutedLanes = 2;

TEST(Routing, PutsEveryChoiceIntoABlockOfItsExpert) {
  for (const std::int64_t places : {1, 3, 40, 700})
    for (const std::int64_t experts : {2, 5, 16})
      for (const bool same : {false, true}) {
        const std::int64_t choices = 2;
        at::Tensor chosen =
            at::arange(kRoutedLanes * places, at::kLong).view({kRoutedLanes, places, 1});
        chosen = at::cat({chosen * 7 % experts, (chosen * 7 + 1) % experts}, -1);
        if (same) chosen = at::zeros_like(chosen) + at::arange(choices, at::kLong);
        const Routing routing = routed(chosen, experts);
        const std::int64_t slots = routing.places.size(1);
        EXPECT_EQ(slots, routing.owners.size(1) * routing.rows);
        EXPECT_LE(slots, places * choices + experts * routing.rows);
        for (std::int64_t lane = 0; lane < kRoutedLanes; ++lane) {
          std::set<std::int64_t> used;
          for (std::int64_t place = 0; place < places; ++place)
            for (std::int64_t i = 0; i < choices; ++i) {
              const auto at = [&](const at::Tensor& x, auto... index) {
                at::Tensor value = x[lane];
                ((value = value[index]), ...);
                return value.template item<std::int64_t>();
              };
              const std::int64_t slot = at(routing.slots, place, i);
              ASSERT_TRUE(0 <= slot && slot < slots);
              EXPECT_TRUE(used.insert(slot).second) << "two choices at " << slot;
              EXPECT_EQ(at(routing.places, slot), place);
              EXPECT_EQ(at(routing.owners, slot / routing.rows), at(chosen, place, i));
            }
        }
      }
}

}  // namespace
}  // namespace ablate::models
