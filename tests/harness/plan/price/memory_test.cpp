// The estimated memory of a bank on a GPU against what LibTorch 2.6 held, counted before a stand-in
// for the CUDA runtime.

#include "harness/plan/price/memory.h"

#include <gtest/gtest.h>

#include "models/specs/transformer_spec.h"

namespace ablate::plan {
namespace {

// A model of tests/bench/sizes.h that scores every position.
struct HeldCase {
  const char* name;
  Json model;
  Token vocabulary;
  std::int64_t batch;
  std::size_t lanes;
  bool bfloat16;
  double megabytes;  // held
};

const Json kSmall = {
    {"depth", 2},    {"width", 64}, {"heads", 4}, {"context", 64}, {"positions", "learned"},
    {"head", "tied"}};
const Json kMedium = {{"depth", 4},     {"width", 256},           {"heads", 4},
                      {"context", 128}, {"positions", "learned"}, {"head", "tied"}};

LaneMemory memory_of(const HeldCase& given) {
  const BackboneSpec spec = models::transformer_spec();
  const Params model(spec.params, given.model);
  const Hosting hosting = {{.ordinary = given.vocabulary - special_count}, {}, {}};
  Price price;
  price.parameters = spec.parameters(model, hosting);
  price.rates.positions = static_cast<double>(given.batch * model.integer("context"));
  price.rates.targets = price.rates.positions;
  return lane_memory(price, 1, given.vocabulary, spec.memory(model, hosting, given.bfloat16),
                     given.bfloat16);
}

TEST(BankMemory, IsWhatADeviceHeldWithin15Percent) {
  Json rotary = kMedium;
  rotary["positions"] = "rotary";
  for (const HeldCase& each : {HeldCase{"S", kSmall, 64, 32, 1, true, 105},
                               {"S", kSmall, 64, 32, 32, true, 633},
                               {"S", kSmall, 64, 32, 32, false, 919},
                               {"M", kMedium, 4096, 16, 1, true, 294},
                               {"M", kMedium, 4096, 16, 8, true, 1713},
                               {"M", kMedium, 4096, 16, 8, false, 2135},
                               {"M", rotary, 4096, 16, 8, true, 1776},
                               {"M", kMedium, 4096, 16, 32, true, 5782}}) {
    const double estimated = bank_bytes(memory_of(each), each.lanes) / 1e6;
    EXPECT_NEAR(estimated, each.megabytes, .15 * each.megabytes)
        << each.name << " x " << each.lanes << (each.bfloat16 ? " bfloat16" : " float32");
  }
}

TEST(BankMemory, GrowsByTheSameForEveryLaneOnceTheLogitsAreHeldInParts) {
  const LaneMemory memory = memory_of({"M", kMedium, 4096, 16, 1, true, 0});
  ASSERT_GT(32 * memory.logits, 256 << 20);
  EXPECT_NEAR((bank_bytes(memory, 64) - bank_bytes(memory, 32)) / (32 * memory.bytes), 1.05, 1e-9);
  EXPECT_GT(bank_bytes(memory, 2) - bank_bytes(memory, 1), 1.05 * memory.bytes);
}

}  // namespace
}  // namespace ablate::plan
