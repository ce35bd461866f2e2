// RWKV-7 against a recurrence in double precision that shares no code with it.

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/layers/mixing/shifted.h"
#include "models/operations/scan/generalised_delta.h"
#include "tests/models/bank.h"
#include "tests/models/mixers/scan_in_chunks.h"

namespace ablate::models {
namespace {

using testing::wave;

TEST(Rwkv7, IsTheRecurrenceOfTheVectorsForwardAndBackward) {
  testing::expect_vectors("rwkv7", "head_norm");
}

TEST(Rwkv7, MixesChannelsAsTheVectorsDo) { testing::expect_vectors("rwkv7_channels", "none"); }

/// The largest distance of A A^T from gain^2 times 1, where A has its shorter side as rows.
double distance_from_orthogonal(at::Tensor matrix, double gain) {
  if (matrix.size(0) > matrix.size(1)) matrix = matrix.t();
  const at::Tensor expected = at::eye(matrix.size(0), at::kDouble) * gain * gain;
  return (at::matmul(matrix, matrix.t()) - expected).abs().max().item<double>();
}

// The layer without its initial values, rates and what decays is not RWKV-7.
TEST(Rwkv7, StartsWithTheTablesOfItsCode) {
  const Json expected = testing::mixer_vectors("rwkv7_initial");
  const std::int64_t width = expected.at("width"), head = expected.at("head_width");
  Json model = testing::tiny();
  model.update({{"width", width},
                {"heads", width / head},
                {"depth", 6},
                {"layers", {"rwkv7", "rwkv7_channels"}},
                {"feed_forwards", {"none"}}});
  const auto network = build_network("transformer", testing::settings(model, 2));
  train::initialise(*network, {1, 2});
  std::size_t found = 0;
  for (const train::Parameter& parameter : network->parameters()) {
    if (!parameter.name.starts_with("block.") || parameter.name.ends_with("attention_norm"))
      continue;
    const auto block = static_cast<std::size_t>(parameter.name.at(6) - '0');
    const bool channels = block % 2 == 1;
    std::string name = parameter.name.substr(8);
    const at::Tensor values = parameter.value.detach().select(0, 1).to(at::kDouble);
    ++found;
    if (channels && name != "shift") {
      EXPECT_TRUE(parameter.decayed) << name;
      if (name == "key")
        EXPECT_LT(distance_from_orthogonal(values, 1), 1e-6);
      else
        EXPECT_EQ(values.abs().max().item<double>(), 0) << name;
      continue;
    }
    const Json& tables = expected.at("layers").at(block / 2);
    const auto holds = [&](const char* key) {
      const std::vector<std::string> names = expected.at(key);
      return !channels && std::ranges::find(names, name) != names.end();
    };
    EXPECT_EQ(parameter.decayed, holds("decayed")) << name;
    EXPECT_EQ(parameter.rate, holds("at_twice_the_rate") ? 2 : 1) << name;
    if (channels) name = "channel_shift";
    if (const auto gain = expected.at("gains").find(name); gain != expected.at("gains").end()) {
      if (*gain == 0)
        EXPECT_EQ(values.abs().max().item<double>(), 0) << name;
      else
        EXPECT_LT(distance_from_orthogonal(values, *gain), 1e-6) << name;
      continue;
    }
    const std::vector<double> table = tables.at(name);
    ASSERT_EQ(values.numel(), std::ssize(table)) << name;
    EXPECT_TRUE(values.flatten().allclose(at::tensor(table, at::kDouble), 1e-6, 1e-6)) << name;
  }
  // Squares, pairs, tables; the first layer mixes no values; channels.
  EXPECT_EQ(found, 3 * (4 + 6 + 8) + 2 * 3 + 3 * 3u);
}

// As the code's ortho_init has it, a matrix of a pair whose rank exceeds the width is longer.
TEST(Rwkv7, StartsTallPairsLonger) {
  Json model = testing::tiny();
  model.update({{"width", 16}, {"layers", {"rwkv7"}}});
  const auto network = build_network("transformer", testing::settings(model));
  train::initialise(*network, {1});
  for (const train::Parameter& parameter : network->parameters()) {
    if (parameter.name != "block.0.gate_up") continue;
    const at::Tensor values = parameter.value.detach().select(0, 0).to(at::kDouble);
    ASSERT_EQ(values.size(1), 24);
    EXPECT_LT(distance_from_orthogonal(values, 0.1 * std::sqrt(24. / 16)), 1e-6);
    return;
  }
  FAIL() << "no parameter block.0.gate_up";
}

/// As a layer makes them: decays are at their fastest in places.
GeneralisedDeltaRows generalised_rows(std::int64_t first, std::int64_t count) {
  const testing::RowsOfDocuments all;
  const auto part = [&](double start, std::int64_t size) {
    return all.by_head(start, size, first, count);
  };
  const at::Tensor keys = part(.3, 3) / part(.3, 3).norm(2, {-1}, true);
  return {part(.1, 3),           keys,        keys * part(.2, 3).abs(),
          part(.4, 3),           part(.5, 4), -std::exp(-.5) * (1 + part(.6, 3)) / 2,
          all.from(first, count)};
}

TEST(GeneralisedDeltaScan, GivesInChunksWhatItGivesStepByStep) {
  testing::expect_chunks_are_steps(generalised_rows, generalised_delta_scan);
}

TEST(GeneralisedDeltaScan, InSinglePrecisionIsThatInDouble) {
  const GeneralisedDeltaRows exact = generalised_rows(0, testing::RowsOfDocuments::kTime);
  const auto single = [](const at::Tensor& x) { return x.to(at::kFloat); };
  at::Tensor state, rounded;
  const at::Tensor expected = generalised_delta_scan(exact, state);
  const at::Tensor found = generalised_delta_scan(
      {single(exact.reads), single(exact.keys), single(exact.removes), single(exact.writes),
       single(exact.values), single(exact.decays), exact.from},
      rounded);
  EXPECT_LT((found - expected).abs().max().item<double>(), 1e-5);
}

TEST(Shifted, ReadsThePositionBeforeWithinItsDocument) {
  const at::Tensor x = wave(.1, {1, 1, 5, 2}, 1), kept = wave(.9, {1, 1, 1, 2}, 1);
  const at::Tensor from = at::tensor({-1, 0, 2, 2, 4}, at::kLong).view({1, 1, 5});
  const at::Tensor found = shifted(x, from, kept);
  EXPECT_TRUE(found.select(2, 0).equal(kept.select(2, 0))) << "what was read before";
  EXPECT_TRUE(found.select(2, 1).equal(x.select(2, 0)));
  EXPECT_TRUE(found.select(2, 2).eq(0).all().item<bool>()) << "a document begins";
  EXPECT_TRUE(found.select(2, 3).equal(x.select(2, 2)));
  EXPECT_TRUE(found.select(2, 4).eq(0).all().item<bool>());
}

}  // namespace
}  // namespace ablate::models
