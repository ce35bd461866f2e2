// Reading step by step gives what reading whole rows gives.

#include "models/layers/decoding.h"

#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/kernels/simd/simd.h"
#include "models/specs/bfloat16_spec.h"
#include "models/specs/layer_specs.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::Seen;

constexpr std::int64_t kReadRows = 3, kReadTime = 150;  // more than two chunks of linear attention
constexpr double kRounding = 1e-5;

Json stack_of(std::string_view mixer, std::string_view other) {
  Json model = testing::tiny();
  model["context"] = kReadTime;
  model["layers"] = {mixer, other};
  return model;
}

/// Every pair of mixers, and attention with every option of a transformer.
std::vector<Json> decoded_models() {
  std::vector<Json> models = testing::every_option(stack_of("attention", "attention"));
  for (const LayerKind& mixer : mixer_kinds())
    for (const LayerKind& other : mixer_kinds())
      for (const char* positions : {"rotary", "learned"}) {
        models.push_back(stack_of(mixer.name, other.name));
        models.back()["positions"] = positions;
      }
  models.push_back(stack_of("attention", "attention"));
  models.back().update({{"positions", "alibi"}, {"heads", 4}, {"key_value_heads", 2}});
  models.push_back(stack_of("attention", "mamba2"));
  models.back()["feed_forwards"] = {"experts"};
  return models;
}

/// Positions [first, first + counts[row]) of each row, padded with what nobody may read.
train::Inputs part_of(const train::Inputs& whole, const std::vector<std::int64_t>& first,
                      const std::vector<std::int64_t>& counts) {
  const std::int64_t time = *std::ranges::max_element(counts);
  train::Inputs part;
  train::each_tensor([&](const auto& of) {
    const at::Tensor& from = of(whole);
    if (!from.defined()) return;
    at::Tensor to = at::full({from.size(0), from.size(1), time}, 1, from.options());
    for (std::size_t row = 0; row < counts.size(); ++row) {
      const auto index = static_cast<std::int64_t>(row);
      to.select(1, index)
          .narrow(1, 0, counts[row])
          .copy_(from.select(1, index).narrow(1, first[row], counts[row]));
    }
    of(part) = to;
  });
  return part;
}

/// Reads `counts` positions more of each row, and compares the states with those of whole rows.
void step_and_compare(train::Network& network, train::DecodingState& state,
                      const train::Inputs& whole, const std::vector<std::int64_t>& counts,
                      const at::Tensor& expected, double rounding = kRounding) {
  const std::vector<std::int64_t> first = state.lengths;
  const at::Tensor hidden = network.step(state, part_of(whole, first, counts), counts);
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if (counts[row] == 0) continue;
    const auto index = static_cast<std::int64_t>(row);
    const at::Tensor own = hidden.select(1, index).narrow(1, 0, counts[row]);
    const at::Tensor of_whole = expected.select(1, index).narrow(1, first[row], counts[row]);
    const double largest = std::max(1.0, of_whole.abs().max().item<double>());
    ASSERT_LT((own - of_whole).abs().max().item<double>(), rounding * largest)
        << "row " << row << ", positions from " << first[row];
    EXPECT_EQ(state.lengths[row], first[row] + counts[row]);
  }
}

TEST(Decoding, InStepsOfAnySizesGivesTheStatesOfWholeRows) {
  for (const Json& model : decoded_models()) {
    SCOPED_TRACE(model.dump());
    const auto network = testing::bank(testing::settings(model, 2));
    const train::Inputs whole = testing::inputs(Seen::causal, 2, kReadRows, kReadTime);
    const at::Tensor expected = network->hidden(whole).detach();
    train::DecodingState state = network->decoding(kReadRows).value();
    Rng rng(7);
    while (*std::ranges::min_element(state.lengths) < kReadTime) {
      std::vector<std::int64_t> counts;
      for (const std::int64_t length : state.lengths)
        counts.push_back(std::min(kReadTime - length, 1 + rng.below(rng.below(3) == 0 ? 90 : 4)));
      step_and_compare(*network, state, whole, counts, expected);
    }
  }
}

/// Reads the first third, which in some patterns sees all of itself, then the rest by unlike steps.
void read_and_compare(const train::NetworkSettings& settings, Seen seen, double rounding) {
  constexpr std::int64_t kTime = 37;
  const auto network = testing::bank(settings);
  const train::Inputs whole = testing::inputs(seen, settings.lanes, kReadRows, kTime, 17);
  const at::NoGradGuard no_gradient;
  const at::Tensor expected = network->hidden(whole);
  train::DecodingState state = network->decoding(kReadRows).value();
  step_and_compare(*network, state, whole, std::vector<std::int64_t>(kReadRows, kTime / 3),
                   expected, rounding);
  for (int step = 0; step < 5; ++step)
    step_and_compare(*network, state, whole, {1, 2, 5}, expected, rounding);
}

constexpr Seen kReadable[] = {Seen::causal, Seen::documents, Seen::prefix};

// Head widths below, at and above the vector width, and beyond four vectors, for every instruction set
// of this processor.
TEST(Decoding, GivesTheStatesOfWholeRowsAtEverySizeAndLevel) {
  using kernels::InstructionSet;
  for (const InstructionSet level : {InstructionSet::any, InstructionSet::avx2,
                                     InstructionSet::avx512, InstructionSet::avx512_bfloat16}) {
    kernels::limit_instruction_set(level);
    for (const auto& [width, heads] :
         std::vector<std::pair<int, int>>{{6, 3}, {12, 1}, {32, 1}, {48, 2}, {64, 4}, {104, 1}})
      for (const Seen seen : kReadable) {
        SCOPED_TRACE(::testing::Message() << width << " units, level " << static_cast<int>(level));
        read_and_compare(
            testing::settings({{"width", width}, {"heads", heads}, {"context", 40}, {"depth", 2}},
                              2),
            seen, kRounding);
      }
  }
  kernels::limit_instruction_set(InstructionSet::avx512_bfloat16);
}

TEST(Decoding, GivesTheStatesOfWholeRowsByPlainOperations) {
  for (const Seen seen : kReadable) {
    train::NetworkSettings settings = testing::settings(testing::tiny(), 2);
    settings.model =
        Params(transformer_spec().params, {{"width", 8}, {"heads", 2}, {"context", 40}});
    settings.fused = false;
    read_and_compare(settings, seen, kRounding);
  }
}

TEST(Decoding, InBfloat16IsAsNearAsBfloat16Is) {
  if (!bfloat16_refusal().empty()) GTEST_SKIP() << bfloat16_refusal();
  for (const Seen seen : kReadable)
    for (const bool fused : {true, false}) {
      train::NetworkSettings settings =
          testing::settings({{"width", 32}, {"heads", 2}, {"context", 40}, {"depth", 2}}, 2);
      settings.bfloat16 = true;
      settings.fused = fused;
      read_and_compare(settings, seen, 0.06);  // a few roundings of 2^-9
    }
}

TEST(Decoding, ReadsADocumentAfterAnotherWithoutSeeingIt) {
  for (const LayerKind& mixer : mixer_kinds()) {
    const auto network = testing::bank(testing::settings(stack_of(mixer.name, mixer.name)));
    train::Inputs whole = testing::inputs(Seen::causal, 1, kReadRows, kReadTime);
    whole.visible_from.narrow(2, 40, kReadTime - 40).fill_(40);
    const at::Tensor expected = network->hidden(whole).detach();
    for (const std::int64_t size : {1, 7, 75}) {
      SCOPED_TRACE(size);
      train::DecodingState state = network->decoding(kReadRows).value();
      while (state.lengths[0] + size <= kReadTime)
        step_and_compare(*network, state, whole, std::vector<std::int64_t>(kReadRows, size),
                         expected);
    }
  }
}

TEST(Decoding, ContinuesAPrefixThatSeesAllOfItself) {
  const auto network = testing::bank(testing::settings(stack_of("attention", "attention")));
  const train::Inputs whole = testing::inputs(Seen::prefix, 1, kReadRows, kReadTime);
  const at::Tensor expected = network->hidden(whole).detach();
  train::DecodingState state = network->decoding(kReadRows).value();
  step_and_compare(*network, state, whole, std::vector<std::int64_t>(kReadRows, kReadTime / 3),
                   expected);
  for (int step = 0; step < 10; ++step)
    step_and_compare(*network, state, whole, {1, 10, 4}, expected);
}

TEST(Decoding, ContinuesSelectedRowsInTheirNewOrder) {
  for (const LayerKind& mixer : mixer_kinds()) {
    const auto network = testing::bank(testing::settings(stack_of(mixer.name, "attention")));
    const train::Inputs whole = testing::inputs(Seen::causal, 1, kReadRows, kReadTime);
    train::DecodingState state = network->decoding(kReadRows).value();
    network->step(state, part_of(whole, {0, 0, 0}, {70, 30, 20}), {70, 30, 20});
    const std::vector<std::int64_t> kept = {2, 0, 2};
    state.select(kept);
    EXPECT_THAT(state.lengths, ::testing::ElementsAre(20, 70, 20));
    const at::Tensor index = at::tensor(kept, at::kLong);
    train::Inputs chosen;
    train::each_tensor([&](const auto& of) {
      if (of(whole).defined()) of(chosen) = of(whole).index_select(1, index);
    });
    chosen.tokens.select(1, 2).narrow(1, 20, 130).fill_(5);  // the copy goes on in another way
    const at::Tensor expected = network->hidden(chosen).detach();
    step_and_compare(*network, state, chosen, {3, 9, 40}, expected);
    step_and_compare(*network, state, chosen, {1, 1, 1}, expected);
  }
}

TEST(Decoding, ForgetsWhatWasCutOff) {
  for (const LayerKind& mixer : mixer_kinds()) {
    const auto network = testing::bank(testing::settings(stack_of(mixer.name, "attention")));
    const train::Inputs whole = testing::inputs(Seen::causal, 1, kReadRows, kReadTime);
    const train::Inputs other = testing::inputs(Seen::causal, 1, kReadRows, kReadTime, 9);
    train::DecodingState state = network->decoding(kReadRows).value();
    network->step(state, part_of(other, {0, 0, 0}, {50, 50, 50}), {50, 50, 50});
    const at::Tensor expected = network->hidden(whole).detach();
    if (!state.truncates) {
      EXPECT_THROW(state.truncate({50, 49, 50}), std::logic_error);
      EXPECT_THAT(state.lengths, ::testing::Each(50)) << "a refusal changes nothing";
    } else {
      train::Inputs mixed = other;
      train::each_tensor([&](const auto& of) {
        if (!of(whole).defined()) return;
        of(mixed) = of(whole).clone();
        of(mixed).narrow(2, 0, 20).copy_(of(other).narrow(2, 0, 20));
      });
      state.truncate({20, 10, 20});
      step_and_compare(*network, state, mixed, {5, 50, 1}, network->hidden(mixed).detach());
    }
    state.truncate({0, 0, 0});
    step_and_compare(*network, state, whole, {60, 3, 70}, expected);
    state.truncate({60, 0, 70});  // one row begins anew among others
    step_and_compare(*network, state, whole, {4, 2, 1}, expected);
  }
}

TEST(Decoding, KeepsAsMuchAsThePlannerCounts) {
  std::vector<Json> models = {stack_of("attention", "attention")};
  models.front().update({{"heads", 4}, {"key_value_heads", 2}});
  for (const LayerKind& mixer : mixer_kinds()) models.push_back(stack_of(mixer.name, mixer.name));
  for (const Json& model : models) {
    const train::NetworkSettings settings = testing::settings(model, 2);
    const auto network = testing::bank(settings);
    const Shape shape = shape_of(settings.model, settings.hosting);
    train::DecodingState state = network->decoding(kReadRows).value();
    const train::Inputs whole = testing::inputs(Seen::causal, 2, kReadRows, kReadTime);
    network->step(state, part_of(whole, {0, 0, 0}, {32, 32, 32}), {32, 32, 32});
    ASSERT_EQ(std::ssize(state.mixers), shape.depth);
    std::int64_t all = 0;
    for (const std::vector<at::Tensor>& kept : state.mixers) {
      std::int64_t numbers = 0;
      for (const at::Tensor& tensor : kept) numbers += tensor.numel();
      EXPECT_EQ(numbers, 2 * kReadRows * shape.mixer(0).state(shape, 32)) << model;
      all += numbers;
    }
    Hosting hosting = settings.hosting;
    hosting.shape.time = 32;
    EXPECT_EQ(all, 2 * kReadRows * transformer_spec().state(settings.model, hosting));
  }
}

TEST(Decoding, RunsTheBlockOfTheFirstHead) {
  train::NetworkSettings settings = testing::settings(stack_of("attention", "linear_attention"));
  settings.hosting.needs.heads[0].params = {{"block", true}};
  settings.hosting.needs.heads.push_back({.kind = "future_tokens", .params = {{"ahead", 2}}});
  const auto network = testing::bank(settings);
  const train::Inputs whole = testing::inputs(Seen::causal, 1, kReadRows, kReadTime);
  const at::Tensor expected = network->hidden(whole).detach();
  train::DecodingState state = network->decoding(kReadRows).value();
  step_and_compare(*network, state, whole, {2, 80, 1}, expected);
  step_and_compare(*network, state, whole, {70, 1, 2}, expected);
}

TEST(Decoding, RefusesStepsOfOtherSizes) {
  const auto network = testing::bank(testing::settings(testing::tiny()));
  const train::Inputs whole = testing::inputs(Seen::causal, 1, 2, 4);
  train::DecodingState state = network->decoding(2).value();
  EXPECT_THROW(network->step(state, whole, {4}), std::logic_error);
  EXPECT_THROW(network->step(state, whole, {4, 5}), std::logic_error);
  EXPECT_THROW(network->step(state, whole, {4, -1}), std::logic_error);
  train::DecodingState three = network->decoding(3).value();
  EXPECT_THROW(network->step(three, whole, {4, 4, 4}), std::logic_error);
  EXPECT_THAT(state.lengths, ::testing::Each(0));
}

}  // namespace
}  // namespace ablate::models
