// A generator and the backbone that reads its samples: what each reads and learns from, and what they
// cost.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/bank_network.h"
#include "models/specs/head_specs.h"
#include "tests/models/bank.h"

namespace ablate::models {
namespace {

using testing::kVocabulary;

constexpr std::int64_t kStepTime = 12, kStepRows = 4;
constexpr std::size_t kDetection = 0, kGenerator = 1;  // heads

Needs with_generator(const std::string& embeddings, double width = 0.5) {
  Needs needs{.attention = Attention::bidirectional, .alignment = Alignment::in_place};
  needs.heads = {{.kind = "detection", .coefficient = 50},
                 {.kind = "generator", .params = {{"width", width}, {"embeddings", embeddings}}}};
  return needs;
}

train::NetworkSettings generator_settings(const std::string& embeddings, std::int64_t lanes,
                                          const Json& model = testing::tiny()) {
  train::NetworkSettings settings = testing::settings(model, lanes);
  settings.hosting.needs = with_generator(embeddings);
  return settings;
}

/// A step in which some tokens of ordinary text are masked.
struct MaskedStep {
  explicit MaskedStep(std::int64_t lanes)
      : inputs(testing::inputs(testing::Seen::bidirectional, lanes, kStepRows, kStepTime)) {
    inputs.tokens.remainder_(kVocabulary.ordinary).add_(static_cast<std::int64_t>(special_count));
    targets = {testing::targets(inputs, 1), testing::targets(inputs, 0.3, 7)};
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const at::Tensor tokens = inputs.tokens[lane].view({-1});
      train::LaneTargets& masked = targets[kGenerator][static_cast<std::size_t>(lane)];
      masked.targets = tokens.index_select(0, masked.positions);
      tokens.index_fill_(0, masked.positions, static_cast<std::int64_t>(mask_token));
      targets[kDetection][static_cast<std::size_t>(lane)].targets.zero_();
      inputs.seeds.push_back(static_cast<std::uint64_t>(40 + lane));
    }
    inputs.step = 3;
  }

  /// One lane, in so many rows from `first` on.
  MaskedStep part(std::int64_t lane, std::int64_t first = 0, std::int64_t rows = kStepRows) const {
    MaskedStep made = *this;
    made.inputs = testing::lane_of(inputs, lane);
    train::each_tensor([&](const auto& of) {
      at::Tensor& tensor = of(made.inputs);
      if (tensor.defined()) tensor = tensor.narrow(1, first, rows).clone();
    });
    made.inputs.first_row = first;
    for (train::HeadTargets& head : made.targets) {
      const train::LaneTargets own = head[static_cast<std::size_t>(lane)];
      const at::Tensor in = own.positions.ge(first * kStepTime)
                                .logical_and(own.positions.lt((first + rows) * kStepTime));
      head = {{own.positions.masked_select(in) - first * kStepTime, own.targets.masked_select(in),
               own.weights.masked_select(in)}};
    }
    return made;
  }

  train::Inputs inputs;
  std::vector<train::HeadTargets> targets;
};

std::vector<at::Tensor> generator_gradients(train::Network& network) {
  std::vector<at::Tensor> gradients;
  for (const train::Parameter& parameter : network.parameters())
    gradients.push_back(parameter.value.grad().defined() ? parameter.value.grad().clone()
                                                         : at::zeros_like(parameter.value));
  return gradients;
}

at::Tensor part_scales(double detection, double generator, std::int64_t lanes) {
  return at::tensor({detection, generator}).to(at::kFloat).unsqueeze(1).expand({2, lanes});
}

constexpr const char* kGeneratorEmbeddings[] = {"tied", "own"};

TEST(Generator, FillsTheMasksWithTokensOfTextAndSaysWhichAreReplaced) {
  for (const char* const embeddings : kGeneratorEmbeddings) {
    const auto network = testing::bank(generator_settings(embeddings, 2));
    const MaskedStep step(2);
    const train::Filled filled = network->filled(step.inputs, step.targets);
    std::int64_t replaced = 0;
    for (std::int64_t lane = 0; lane < 2; ++lane) {
      const train::LaneTargets& masked = step.targets[kGenerator][static_cast<std::size_t>(lane)];
      const at::Tensor before = step.inputs.tokens[lane].view({-1});
      const at::Tensor after = filled.inputs.tokens[lane].reshape({-1});
      EXPECT_TRUE(after.ge(static_cast<std::int64_t>(special_count)).all().item<bool>());
      EXPECT_TRUE(
          after.lt(static_cast<std::int64_t>(kVocabulary.end_ordinary())).all().item<bool>());
      const at::Tensor shown = before.ne(static_cast<std::int64_t>(mask_token));
      EXPECT_TRUE(after.masked_select(shown).equal(before.masked_select(shown)));
      const at::Tensor truth = before.index_copy(0, masked.positions, masked.targets);
      const train::LaneTargets& labels = filled.targets[kDetection][static_cast<std::size_t>(lane)];
      EXPECT_TRUE(labels.targets.equal(after.ne(truth).to(at::kLong)));
      replaced += labels.targets.sum().item<std::int64_t>();
    }
    EXPECT_GT(replaced, 0);
  }
}

// The trap of a generator that sees the original: its samples would always be right.
TEST(Generator, NeverReadsWhatTheMasksHide) {
  const auto network = testing::bank(generator_settings("tied", 1));
  MaskedStep step(1);
  const at::Tensor before = network->filled(step.inputs, step.targets).inputs.tokens;
  at::Tensor& truth = step.targets[kGenerator][0].targets;
  truth = (truth - static_cast<std::int64_t>(special_count) + 1)
              .remainder(kVocabulary.ordinary)
              .add(static_cast<std::int64_t>(special_count));
  EXPECT_TRUE(network->filled(step.inputs, step.targets).inputs.tokens.equal(before));
}

TEST(Generator, OfALaneDoesNotDependOnTheOthers) {
  for (const char* const embeddings : kGeneratorEmbeddings) {
    const auto bank = testing::bank(generator_settings(embeddings, 3));
    MaskedStep step(3);
    step.inputs.dropout = 0.2;
    const train::Totals together =
        bank->accumulate(step.inputs, step.targets, part_scales(1, 1, 3));
    const auto gradients = generator_gradients(*bank);
    for (std::int64_t lane = 0; lane < 3; ++lane) {
      const auto alone =
          testing::bank(generator_settings(embeddings, 1), {static_cast<std::uint64_t>(lane + 1)});
      const MaskedStep own = step.part(lane);
      const train::Totals totals = alone->accumulate(own.inputs, own.targets, part_scales(1, 1, 1));
      EXPECT_TRUE(totals.losses.equal(together.losses.narrow(1, lane, 1)));
      EXPECT_TRUE(totals.facts.equal(together.facts.narrow(1, lane, 1)));
      const auto found = generator_gradients(*alone);
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(found[i].equal(gradients[i].narrow(0, lane, 1))) << alone->parameters()[i].name;
    }
  }
}

TEST(Generator, OfPartsOfTheRowsIsThatOfTheWhole) {
  for (const char* const embeddings : kGeneratorEmbeddings) {
    const auto whole = testing::bank(generator_settings(embeddings, 1)),
               parts = testing::bank(generator_settings(embeddings, 1));
    const MaskedStep step(1);
    const train::Totals expected =
        whole->accumulate(step.inputs, step.targets, part_scales(1, 1, 1));
    at::Tensor losses = at::zeros({2, 1}), facts = at::zeros({2, 1});
    for (std::int64_t first = 0; first < kStepRows; ++first) {
      const MaskedStep part = step.part(0, first, 1);
      const train::Totals totals =
          parts->accumulate(part.inputs, part.targets, part_scales(1, 1, 1));
      losses += totals.losses;
      facts += totals.facts;
    }
    EXPECT_TRUE(losses.allclose(expected.losses, 1e-5));
    EXPECT_TRUE(facts.equal(expected.facts));
    const auto found = generator_gradients(*parts), all = generator_gradients(*whole);
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_LE((found[i] - all[i]).norm().item<double>(),
                1e-6 * (all[i].norm().item<double>() + 1e-2))
          << whole->parameters()[i].name;
  }
}

/// Whether a loss with these scales reaches a parameter.
std::map<std::string, bool> reached_by(const std::string& embeddings, double detection,
                                       double generator) {
  const auto network = testing::bank(generator_settings(embeddings, 1));
  const MaskedStep step(1);
  network->accumulate(step.inputs, step.targets, part_scales(detection, generator, 1));
  std::map<std::string, bool> reached;
  const auto gradients = generator_gradients(*network);
  for (std::size_t i = 0; i < gradients.size(); ++i)
    reached[network->parameters()[i].name] = gradients[i].abs().sum().item<double>() > 0;
  return reached;
}

TEST(Generator, GetsNoGradientFromDetectionAndGivesNoneToTheBackbone) {
  for (const std::string embeddings : kGeneratorEmbeddings) {
    for (const auto& [name, is_reached] : reached_by(embeddings, 1, 0))
      EXPECT_EQ(is_reached, !name.starts_with("generator.")) << name << " by detection";
    for (const auto& [name, is_reached] : reached_by(embeddings, 0, 1))
      EXPECT_EQ(is_reached,
                name.starts_with("generator.") || (name == "tokens" && embeddings == "tied"))
          << name << " by the generator's loss";
  }
}

// The trap of a sample that leaks: where the backbone still saw masks, or a gradient came through the sample,
// detection would be told which places to doubt.
TEST(Generator, LeavesToTheBackboneAStepOnTheFilledText) {
  const auto network = testing::bank(generator_settings("tied", 2)),
             other = testing::bank(generator_settings("tied", 2));
  const MaskedStep step(2);
  const at::Tensor losses =
      network->accumulate(step.inputs, step.targets, part_scales(1, 0, 2)).losses;
  const train::Filled filled = other->filled(step.inputs, step.targets);
  const at::Tensor on_filled =
      other->accumulate(filled.inputs, filled.targets, part_scales(1, 0, 2)).losses;
  EXPECT_TRUE(losses[0].equal(on_filled[0]));
  EXPECT_TRUE(on_filled[1].equal(at::zeros({2})));
  const auto a = generator_gradients(*network), b = generator_gradients(*other);
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(a[i].equal(b[i])) << network->parameters()[i].name;
}

TEST(Generator, OfExpertsIsBalancedWithoutAChangeOfTheLoss) {
  Json model = testing::tiny();
  model.update({{"feed_forwards", {"experts"}}, {"expert_balance", 0.0}});
  Json even = model;
  even["expert_balance"] = 10.0;
  const auto network = testing::bank(generator_settings("own", 1, even)),
             other = testing::bank(generator_settings("own", 1, model));
  const MaskedStep step(1);
  EXPECT_TRUE(
      network->accumulate(step.inputs, step.targets, part_scales(1, 1, 1))
          .losses.equal(other->accumulate(step.inputs, step.targets, part_scales(1, 1, 1)).losses));
  const auto with = generator_gradients(*network), without = generator_gradients(*other);
  std::size_t routers = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    const std::string name = network->parameters()[i].name;
    if (!name.ends_with("router")) continue;
    EXPECT_FALSE(with[i].allclose(without[i])) << name;
    routers += name.starts_with("generator.");
  }
  EXPECT_EQ(routers, static_cast<std::size_t>(testing::tiny()["depth"]));
}

/// Lists padded as a device's are, and the keys as a device has them.
TEST(Generator, DoesTheSameWithPaddedTargetsAndKeysOfADevice) {
  const auto network = testing::bank(generator_settings("tied", 2)),
             padded = testing::bank(generator_settings("tied", 2));
  const MaskedStep step(2);
  MaskedStep filled_up = step;
  filled_up.inputs.seeds.clear();
  filled_up.inputs.step = 99;
  filled_up.inputs.keys = at::tensor(at::ArrayRef<std::int64_t>({3, 0, 40, 41}));
  for (train::LaneTargets& lane : filled_up.targets[kGenerator]) {
    const std::int64_t more = 30 - lane.positions.size(0);
    lane.positions = at::cat(
        {lane.positions, lane.positions.narrow(0, lane.positions.size(0) - 1, 1).expand(more)});
    lane.targets = at::cat({lane.targets, at::zeros({more}, at::kLong)});
    lane.weights = at::cat({lane.weights, at::zeros({more})});
  }
  EXPECT_TRUE(
      network->filled(step.inputs, step.targets)
          .inputs.tokens.equal(padded->filled(filled_up.inputs, filled_up.targets).inputs.tokens));
  const train::Totals a = network->accumulate(step.inputs, step.targets, part_scales(1, 1, 2));
  const train::Totals b =
      padded->accumulate(filled_up.inputs, filled_up.targets, part_scales(1, 1, 2));
  EXPECT_TRUE(a.losses.allclose(b.losses, 1e-6));
  EXPECT_TRUE(a.facts.equal(b.facts));
}

TEST(Generator, CountsHowManySamplesAreRight) {
  const auto network = testing::bank(generator_settings("own", 2));
  const MaskedStep step(2);
  const train::Totals totals = network->accumulate(step.inputs, step.targets, part_scales(1, 1, 2));
  const train::Filled filled = network->filled(step.inputs, step.targets);
  for (std::int64_t lane = 0; lane < 2; ++lane) {
    const auto of = static_cast<std::size_t>(lane);
    const auto count = static_cast<double>(step.targets[kGenerator][of].positions.size(0));
    const double wrong = filled.targets[kDetection][of].targets.sum().item<double>();
    EXPECT_EQ(totals.facts[0][lane].item<double>(), count - wrong);
    EXPECT_EQ(totals.facts[1][lane].item<double>(), count);
  }
}

TEST(Generator, CostsWhatItsFormulasSay) {
  std::vector<Json> models = testing::every_option(testing::tiny());
  models.push_back(testing::tiny());
  models.back().update({{"feed_forwards", {"experts"}}, {"experts", 8}, {"experts_per_token", 2}});
  for (const char* const embeddings : kGeneratorEmbeddings)
    for (const Json& model : models) {
      SCOPED_TRACE(fmt::format("{} {}", embeddings, model.dump()));
      const train::NetworkSettings settings = generator_settings(embeddings, 1, model);
      const auto network = testing::bank(settings);
      std::int64_t total = 0, tables = 0, own = 0, idle = 0;
      double weights = 0;  // of the products at each position
      for (const train::Parameter& parameter : network->parameters()) {
        const std::int64_t count = parameter.value.numel();
        const std::string_view name = parameter.name;
        total += count;
        if (name.starts_with("generator.")) own += count;
        if (name.ends_with("tokens") || name.ends_with("positions") || name.ends_with("head"))
          tables += count;
        else if (name.find("experts_") != std::string_view::npos) {
          idle += count / 8 * 6;
          weights += static_cast<double>(count) / 8 * 2;
        } else if (parameter.value.dim() == 3)
          weights += static_cast<double>(count);
      }
      const ParameterCount count = transformer_spec().parameters(settings.model, settings.hosting);
      EXPECT_EQ(count.total, total);
      EXPECT_EQ(count.embeddings, tables);
      EXPECT_EQ(count.at_inference, total - own);
      EXPECT_EQ(count.idle_in_training, idle);
      const double scores = 2.0 * 2 * 12 * (8 + 4);  // depth, two products, context, widths
      const FlopCount flops = transformer_spec().flops(settings.model, settings.hosting);
      EXPECT_EQ(flops.trunk_per_token, 6 * (weights + scores));
      // A table's products forward, backward, and forward again for the samples.
      EXPECT_EQ(flops.head_per_target, 8.0 * 32 * (embeddings == std::string("own") ? 4 : 8));
    }
}

TEST(Generator, HasWholeAttentionHeads) {
  const Params model = testing::settings(testing::tiny()).model;  // of 2 heads
  EXPECT_EQ(transformer_spec().cannot_host(model, with_generator("tied", 0.5)), "");
  EXPECT_EQ(transformer_spec().cannot_host(model, with_generator("tied", 1)), "");
  EXPECT_THAT(transformer_spec().cannot_host(model, with_generator("tied", 0.25)),
              ::testing::HasSubstr("makes 0.5 of 2 attention heads"));
}

}  // namespace
}  // namespace ablate::models
