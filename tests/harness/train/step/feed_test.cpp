// The tensors that are made of the lanes' batches.

#include "harness/train/step/feed.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/harness/train/tiny.h"

namespace ablate::train {
namespace {

using testing::drawn;
using testing::kRows;
using testing::kTime;

std::vector<data::Batch> two_lanes() { return {drawn(1, 0).batch, drawn(3, 0).batch}; }

TEST(Feed, PutsLanesSideBySideInOrder) {
  const std::vector<data::Batch> lanes = two_lanes();
  const Inputs inputs = to_inputs(lanes, "cpu");
  const std::pair<at::Tensor, std::vector<std::int32_t> data::Batch::*> fields[] = {
      {inputs.tokens, &data::Batch::tokens},
      {inputs.positions, &data::Batch::positions},
      {inputs.visible_from, &data::Batch::visible_from},
      {inputs.visible_until, &data::Batch::visible_until}};
  for (const auto& [tensor, field] : fields) {
    ASSERT_EQ(tensor.sizes().vec(), (std::vector<std::int64_t>{2, kRows, kTime}));
    const auto* values = tensor.data_ptr<std::int64_t>();
    for (const data::Batch& lane : lanes)
      for (const std::int32_t value : lane.*field) EXPECT_EQ(*values++, value);
  }
}

/// A batch in which every field has its own values, with an encoder's.
data::Batch full_batch(std::int32_t lane) {
  data::Batch batch;
  batch.rows = kRows;
  batch.time = kTime;
  batch.source.time = 5;
  std::int32_t next = 1000 * lane;
  const auto fill = [&](std::vector<std::int32_t>& values, std::int64_t time) {
    for (std::int64_t i = 0; i < kRows * time; ++i) values.push_back(next++);
  };
  for (auto* values :
       {&batch.tokens, &batch.positions, &batch.visible_from, &batch.visible_until,
        &batch.also_from, &batch.also_until, &batch.inner, &batch.source_from, &batch.source_until})
    fill(*values, kTime);
  for (auto* values : {&batch.source.tokens, &batch.source.positions, &batch.source.visible_from,
                       &batch.source.visible_until})
    fill(*values, 5);
  return batch;
}

TEST(Feed, FillsEveryTensorOfTheInputs) {
  const std::vector<data::Batch> lanes = {full_batch(1), full_batch(2)};
  const Packed packed = pack(lanes, {}, false);
  const Inputs unpacked_inputs =
      unpacked(packed.inputs, packed.source, packed.visibility, packed.fields);
  const Inputs direct = to_inputs(lanes, "cpu");
  std::vector<at::Tensor> found;
  each_tensor([&](const auto& of) {
    ASSERT_TRUE(of(unpacked_inputs).defined());
    EXPECT_TRUE(of(unpacked_inputs).equal(of(direct)));
    found.push_back(of(unpacked_inputs));
  });
  EXPECT_EQ(found[0][1][0][0].item<std::int64_t>(), 2000);  // the first token of the second lane
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(at::isin(found[i].reshape(-1), found[j].reshape(-1)).any().item<bool>());
  EXPECT_EQ(unpacked_inputs.source.tokens[1][0][0].item<std::int64_t>(),
            lanes[1].source.tokens.front());
  EXPECT_EQ(unpacked_inputs.source.seen_until[1][0][0].item<std::int64_t>(),
            lanes[1].source_until.front());
}

TEST(Feed, GivesLanesWithoutAFieldThatOthersHaveZeros) {
  std::vector<data::Batch> lanes = {full_batch(1), full_batch(2)};
  lanes[1].also_from.clear();
  lanes[1].also_until.clear();
  lanes[0].inner.clear();
  lanes[1].inner.clear();
  const Inputs inputs = to_inputs(lanes, "cpu");
  EXPECT_EQ(inputs.also_from[0][0][0].item<std::int64_t>(), lanes[0].also_from.front());
  EXPECT_FALSE(inputs.also_from[1].any().item<bool>());
  EXPECT_FALSE(inputs.also_until[1].any().item<bool>());
  EXPECT_FALSE(inputs.inner.defined()) << "no lane has it";
  EXPECT_EQ(inputs.source.seen_until[1][0][0].item<std::int64_t>(), lanes[1].source_until.front());
  EXPECT_EQ(visibility_of(lanes), Visibility::general);
}

/// Rows of documents of these lengths, then padding.
data::Batch packed(const std::vector<std::int32_t>& lengths, bool causal, std::int32_t prefix = 0) {
  data::Batch batch = drawn(1, 0).batch;
  batch.visible_from.assign(batch.visible_from.size(), 0);
  batch.visible_until = batch.visible_from;
  for (std::int32_t row = 0; row < kRows; ++row) {
    std::int32_t first = 0;
    for (const std::int32_t length : lengths) {
      for (std::int32_t t = first; t < first + length; ++t) {
        const auto at = static_cast<std::size_t>(row * kTime + t);
        batch.visible_from[at] = first;
        batch.visible_until[at] = causal ? std::max(t + 1, first + prefix) : first + length;
      }
      first += length;
    }
  }
  return batch;
}

TEST(Feed, KnowsWhoSeesWhomWithoutAskingTheDevice) {
  const data::Batch causal = packed({kTime}, true), full = packed({kTime}, false);
  const std::pair<std::vector<data::Batch>, Visibility> cases[] = {
      {{causal}, Visibility::causal},
      {{causal, causal}, Visibility::causal},
      {{full, full}, Visibility::full},
      {{causal, full}, Visibility::general},                  // lanes that differ
      {{packed({kTime}, true, 4)}, Visibility::general},      // a prefix
      {{packed({5, kTime - 5}, true)}, Visibility::general},  // documents apart
      {{packed({5, kTime - 5}, false)}, Visibility::general},
      {{packed({kTime - 2}, true)}, Visibility::general},  // padding sees nothing
      {{packed({kTime - 2}, false)}, Visibility::general}};
  for (const auto& [lanes, visibility] : cases) {
    EXPECT_EQ(visibility_of(lanes), visibility);
    EXPECT_EQ(to_inputs(lanes, "cpu").visibility, visibility);
  }
  // One position is enough.
  for (std::size_t at = 0; at < causal.visible_from.size(); ++at) {
    data::Batch other = causal;
    ++other.visible_from[at];
    EXPECT_EQ(visibility_of({{causal, other}}), Visibility::general) << at;
  }
}

TEST(Feed, LeavesEachLaneItsOwnTargetsOnTheProcessor) {
  const std::vector<data::Batch> lanes = two_lanes();
  const std::vector<LaneTargets> targets = to_targets(lanes, 0, "cpu");
  ASSERT_LT(targets[1].positions.numel(), targets[0].positions.numel());
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const data::Scored& scored = lanes[lane].scored[0];
    ASSERT_EQ(targets[lane].positions.numel(), static_cast<std::int64_t>(scored.positions.size()));
    for (std::size_t i = 0; i < scored.positions.size(); ++i) {
      EXPECT_EQ(targets[lane].positions.data_ptr<std::int64_t>()[i], scored.positions[i]);
      EXPECT_EQ(targets[lane].targets.data_ptr<std::int64_t>()[i], scored.targets[i]);
      EXPECT_EQ(targets[lane].weights.data_ptr<float>()[i], scored.weights[i]);
    }
  }
}

TEST(Feed, GivesWhatThePlacesOfTargetsShowToHeadsThatReadIt) {
  std::vector<data::Batch> lanes = two_lanes();
  EXPECT_FALSE(to_targets(lanes, 0, "cpu").front().shown.defined());
  EXPECT_FALSE(
      lane_targets(pack(lanes, {max_scored(lanes, 0)}, false).heads[0], 0).shown.defined());
  lanes[1].scored[0].need.traits.reads_shown = true;
  const std::vector<LaneTargets> own = to_targets(lanes, 0, "cpu"),
                                 even = to_targets(lanes, 0, "cpu:0");
  const Packed packed_lanes = pack(lanes, {max_scored(lanes, 0)}, false);
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const data::Scored& scored = lanes[lane].scored[0];
    const auto count = std::ssize(scored.positions);
    for (std::int64_t i = 0; i < count; ++i)
      EXPECT_EQ(
          own[lane].shown[i].item<std::int64_t>(),
          lanes[lane]
              .tokens[static_cast<std::size_t>(scored.positions[static_cast<std::size_t>(i)])]);
    EXPECT_TRUE(even[lane].shown.narrow(0, 0, count).equal(own[lane].shown));
    const LaneTargets of_packed =
        lane_targets(packed_lanes.heads[0], static_cast<std::int64_t>(lane));
    EXPECT_TRUE(of_packed.shown.equal(even[lane].shown));
    EXPECT_TRUE(of_packed.positions.equal(even[lane].positions));
    EXPECT_TRUE(of_packed.targets.equal(even[lane].targets));
    EXPECT_TRUE(of_packed.weights.equal(even[lane].weights));
  }
}

TEST(Feed, FillsLanesUpWithTargetsOfNoWeightElsewhere) {
  // "cpu:0" is the processor by another name: treated as any device that batches lanes.
  const std::vector<LaneTargets> own = to_targets(two_lanes(), 0, "cpu");
  const std::vector<LaneTargets> even = to_targets(two_lanes(), 0, "cpu:0");
  const std::int64_t few = own[1].positions.numel(), all = even[0].positions.numel();
  ASSERT_EQ(even[1].positions.numel(), all);
  EXPECT_TRUE(even[1].targets.slice(0, 0, few).equal(own[1].targets));
  EXPECT_EQ(even[1].weights.slice(0, few).abs().sum().item<float>(), 0);
  EXPECT_GE((even[1].positions.slice(0, 1) - even[1].positions.slice(0, 0, all - 1))
                .min()
                .item<std::int64_t>(),
            0);
}

TEST(Feed, PacksWhatTensorsOfTheirOwnWouldHold) {
  const std::vector<data::Batch> lanes = two_lanes();
  const std::int64_t maximum = max_scored(lanes, 0), scored = maximum + 5;
  const Packed packed = pack(lanes, {scored}, false);
  const Inputs inputs = to_inputs(lanes, "cpu");
  const at::Tensor* fields[] = {&inputs.tokens, &inputs.positions, &inputs.visible_from,
                                &inputs.visible_until};
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_TRUE(packed.inputs[i].equal(*fields[i])) << i;
  EXPECT_EQ(packed.visibility, inputs.visibility);
  const std::vector<LaneTargets> even = to_targets(lanes, 0, "cpu:0");
  for (std::int64_t lane = 0; lane < 2; ++lane) {
    const LaneTargets& own = even[static_cast<std::size_t>(lane)];
    EXPECT_TRUE(packed.heads[0].targets[0][lane].slice(0, 0, maximum).equal(own.positions));
    EXPECT_TRUE(packed.heads[0].targets[1][lane].slice(0, 0, maximum).equal(own.targets));
    EXPECT_TRUE(packed.heads[0].weights[lane].slice(0, 0, maximum).equal(own.weights));
  }
  EXPECT_EQ(packed.heads[0].weights.slice(1, maximum).abs().sum().item<float>(), 0);
}

TEST(Feed, SeldomChangesHowManyTargetsALaneIsFilledUpTo) {
  EXPECT_EQ(scored_capacity(100, 0, 2048), 128);
  EXPECT_EQ(scored_capacity(128, 128, 2048), 128);
  EXPECT_EQ(scored_capacity(90, 128, 2048), 128) << "it never shrinks";
  EXPECT_EQ(scored_capacity(129, 128, 2048), 160);
  EXPECT_EQ(scored_capacity(2000, 0, 2048), 2048);
  EXPECT_EQ(scored_capacity(36, 0, 36), 36);
  EXPECT_EQ(scored_capacity(0, 0, 36), 0);
  EXPECT_EQ(scored_capacity(40, 0, 36), 40) << "never less than is needed";
  // A head of several labels has room for all of them at each place, or every longest step were recorded anew.
  data::Batch batch;
  batch.rows = 4;
  batch.time = 8;
  batch.scored.resize(2);
  batch.scored[1].need.traits.labels = 8;
  EXPECT_EQ(most_scored(batch, 0), 32);
  EXPECT_EQ(most_scored(batch, 1), 256);
  EXPECT_EQ(scored_capacity(100, 0, most_scored(batch, 1)), 128);
}

TEST(Feed, RefusesLanesThatDoNotFitSideBySide) {
  const auto message = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "";
  };
  const auto expect_refused = [&](const std::vector<data::Batch>& lanes, const std::string& words) {
    for (const std::string& found : {message([&] { to_inputs(lanes, "cpu"); }),
                                     message([&] { pack(lanes, {max_scored(lanes, 0)}, false); })})
      EXPECT_NE(found.find(words), found.npos) << found << ", not: " << words;
  };
  std::vector<data::Batch> lanes = two_lanes();
  ++lanes[1].rows;
  for (auto* field : {&lanes[1].positions, &lanes[1].visible_from, &lanes[1].visible_until})
    field->resize(field->size() + kTime);
  lanes[1].tokens.resize(lanes[1].tokens.size() + kTime);
  expect_refused(lanes, "lanes of a bank share rows and time");
  lanes = two_lanes();
  std::swap(lanes[1].rows, lanes[1].time);
  expect_refused(lanes, "lanes of a bank share rows and time");
  lanes = two_lanes();
  lanes[0].visible_until.push_back(0);
  expect_refused(lanes, "entries for");
}

TEST(Feed, RefusesMoreTargetsThanThereIsRoomFor) {
  std::vector<data::Batch> lanes = two_lanes();
  const std::int64_t maximum = max_scored(lanes, 0);
  EXPECT_NO_THROW(pack(lanes, {maximum}, false));
  EXPECT_THROW(pack(lanes, {maximum - 1}, false), std::logic_error);
  lanes[0].scored[0].weights.push_back(1);
  EXPECT_THROW(pack(lanes, {maximum + 5}, false), std::logic_error);
  EXPECT_THROW(to_targets(lanes, 0, "cpu"), std::logic_error);
}

TEST(Feed, GivesALaneWithoutTheHeadNothingToPredict) {
  EXPECT_EQ(to_targets(two_lanes(), 1, "cpu")[0].positions.numel(), 0);
}

}  // namespace
}  // namespace ablate::train
