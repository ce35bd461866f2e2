#include "harness/data/batches/batches.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "harness/data/batches/texts.h"
#include "tests/harness/data/in_order.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Documents of 1, 2, 3 ... ordinary tokens; token v occurs only once, so that it identifies its
/// place.
std::vector<Token> corpus_of(std::int64_t documents) {
  std::vector<Token> tokens;
  Token next = special_count;
  for (std::int64_t d = 0; d < documents; ++d) {
    tokens.push_back(begin_token);
    for (std::int64_t i = 0; i <= d % 7; ++i) tokens.push_back(next++);
    tokens.push_back(end_token);
  }
  return tokens;
}

Part part_of(const std::vector<Token>& tokens) { return {.tokens = tokens}; }

std::vector<Example> continued(const Text& text, Rng) {
  Example example{.targets = {text.tokens.begin(), text.tokens.end()}};
  example.weights.assign(text.tokens.size(), 1);
  return {example};
}

/// Half of the tokens hidden in place.
std::vector<Example> masked(const Text& text, Rng rng) {
  Example example{.inputs = {text.tokens.begin(), text.tokens.end()},
                  .targets = {text.tokens.begin(), text.tokens.end()}};
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const bool hidden = !text.is_special(i) && rng.probability(0.5);
    example.weights.push_back(hidden ? 1.0f : 0.0f);
    if (hidden) example.inputs[i] = mask_token;
  }
  return {example};
}

Objective causal() { return {.needs = {}, .transform = continued}; }
Objective in_place_objective() {
  return {.needs = {.attention = Attention::bidirectional, .alignment = Alignment::in_place},
          .transform = masked};
}

BatchSettings settings(Packing packing, std::int64_t rows = 3, std::int64_t context = 8) {
  return {.packing = packing, .rows = rows, .context = context, .seed = 7};
}

bool same(const Batch& a, const Batch& b) {
  if (a.scored.size() != b.scored.size()) return false;
  for (std::size_t i = 0; i < a.scored.size(); ++i)
    if (a.scored[i].positions != b.scored[i].positions ||
        a.scored[i].targets != b.scored[i].targets || a.scored[i].weights != b.scored[i].weights)
      return false;
  return a.tokens == b.tokens && a.positions == b.positions && a.visible_from == b.visible_from &&
         a.visible_until == b.visible_until;
}

/// What every batch keeps, whatever packing and objective made it.
void expect_lawful(const SampledBatch& drawn, Packing packing) {
  const Batch& batch = drawn.batch;
  const auto at = [&](std::int64_t row, std::int64_t t) {
    return static_cast<std::size_t>(row * batch.time + t);
  };
  for (std::int64_t row = 0; row < batch.rows; ++row) {
    std::int64_t document = 0;
    std::vector<std::int64_t> documents;
    for (std::int64_t t = 0; t < batch.time; ++t) {
      if (t > 0 && batch.tokens[at(row, t)] == begin_token) ++document;
      documents.push_back(document);
    }
    for (std::int64_t t = 0; t < batch.time; ++t) {
      const auto from = batch.visible_from[at(row, t)], until = batch.visible_until[at(row, t)];
      if (batch.tokens[at(row, t)] == pad_token) {
        EXPECT_EQ(from, until) << "a pad sees something";
        continue;
      }
      EXPECT_LE(from, t);
      EXPECT_GT(until, t) << "a position does not see itself";
      EXPECT_LE(until, batch.time);
      for (std::int64_t j = from; j < until; ++j) {
        EXPECT_NE(batch.tokens[at(row, j)], pad_token);
        EXPECT_TRUE(packing == Packing::joined || documents[static_cast<std::size_t>(j)] ==
                                                      documents[static_cast<std::size_t>(t)]);
      }
    }
  }
  for (const Scored& scored : batch.scored) {
    EXPECT_TRUE(std::is_sorted(scored.positions.begin(), scored.positions.end()));
    for (std::size_t i = 0; i < scored.positions.size(); ++i) {
      EXPECT_GT(scored.weights[i], 0);
      EXPECT_NE(scored.targets[i], begin_token);
      EXPECT_NE(scored.targets[i], pad_token);
    }
  }
}

class EveryPacking : public testing::TestWithParam<Packing> {};
INSTANTIATE_TEST_SUITE_P(Batches, EveryPacking,
                         testing::Values(Packing::isolated, Packing::joined, Packing::padded));

TEST_P(EveryPacking, NoPositionSeesAnotherDocumentOrAPad) {
  const auto tokens = corpus_of(40);
  for (const Objective& objective : {causal(), in_place_objective()}) {
    const Batches batches(part_of(tokens), objective, settings(GetParam()));
    for (std::int64_t step = 0; step < 20; ++step) expect_lawful(batches.step(step), GetParam());
    expect_lawful(in_order(batches, 0, batches.texts()), GetParam());
  }
}

TEST_P(EveryPacking, CausalTargetsAreTheNextTokensOfTheirDocuments) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), causal(), settings(GetParam()));
  const Batch batch = in_order(batches, 0, batches.texts()).batch;
  const Scored& scored = batch.scored.front();
  ASSERT_GT(scored.positions.size(), 0u);
  std::set<std::size_t> predicted;
  for (std::size_t i = 0; i < scored.positions.size(); ++i) {
    const auto at = static_cast<std::size_t>(scored.positions[i]);
    EXPECT_EQ(scored.targets[i], batch.tokens[at + 1]);
    EXPECT_TRUE(GetParam() == Packing::joined || batch.tokens[at] != end_token);
    predicted.insert(at + 1);
  }
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    const bool starts = i % 8 == 0 || batch.tokens[i] == begin_token;
    EXPECT_EQ(predicted.contains(i), !starts && batch.tokens[i] != pad_token) << i;
  }
}

TEST_P(EveryPacking, EveryTextIsReadOnceAnEpoch) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), causal(), settings(GetParam(), 1));
  std::vector<std::vector<Token>> all, first, second;
  for (std::int64_t i = 0; i < batches.texts(); ++i) {
    all.push_back(in_order(batches, i, 1).batch.tokens);
    first.push_back(batches.step(i).batch.tokens);
    second.push_back(batches.step(batches.texts() + i).batch.tokens);
  }
  EXPECT_NE(first, all);
  EXPECT_NE(first, second);
  EXPECT_THAT(first, testing::UnorderedElementsAreArray(all));
  EXPECT_THAT(second, testing::UnorderedElementsAreArray(all));
}

TEST_P(EveryPacking, AStepDependsOnNothingButItsNumber) {
  const auto tokens = corpus_of(40);
  const Batches forward(part_of(tokens), in_place_objective(), settings(GetParam()));
  const Batches backward(part_of(tokens), in_place_objective(), settings(GetParam()));
  std::map<std::int64_t, Batch> drawn;
  for (std::int64_t step = 40; step-- > 0;) drawn[step] = backward.step(step).batch;
  for (std::int64_t step = 0; step < 40; ++step)
    EXPECT_TRUE(same(forward.step(step).batch, drawn[step])) << step;
}

TEST_P(EveryPacking, CountsRawTokensWithoutBeginTokensAndPads) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), causal(), settings(GetParam()));
  const SampledBatch drawn = batches.step(3);
  std::int64_t raw = 0;
  for (const Token token : drawn.batch.tokens) raw += token != begin_token && token != pad_token;
  EXPECT_EQ(drawn.text_tokens, raw);
}

TEST_P(EveryPacking, AnEpochReadsTheRawTokensOfAllTexts) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), causal(), settings(GetParam(), 1));
  std::int64_t read = 0;
  for (std::int64_t step = 0; step < batches.texts(); ++step)
    read += batches.step(step).text_tokens;
  for (const Objective& objective : {causal(), in_place_objective()})
    EXPECT_EQ(Texts(part_of(tokens), objective.needs, GetParam(), 8).raw_tokens(), read);
}

TEST(Batches, ArmsOfOneSeedReadTheSameTextsInTheSameOrder) {
  const auto tokens = corpus_of(40);
  const Batches one(part_of(tokens), causal(), settings(Packing::isolated));
  const Batches other(part_of(tokens), in_place_objective(), settings(Packing::isolated));
  for (std::int64_t step = 0; step < 10; ++step) {
    const SampledBatch a = one.step(step), b = other.step(step);
    EXPECT_EQ(a.text_tokens, b.text_tokens);
    EXPECT_EQ(a.examples.front().text.tokens.data(), b.examples.front().text.tokens.data());
  }
}

TEST(Batches, SeedsDifferInOrderAndCorruption) {
  const auto tokens = corpus_of(40);
  BatchSettings other = settings(Packing::isolated);
  other.seed = 8;
  const Batches a(part_of(tokens), in_place_objective(), settings(Packing::isolated));
  const Batches b(part_of(tokens), in_place_objective(), other);
  EXPECT_FALSE(same(a.step(0).batch, b.step(0).batch));
  EXPECT_FALSE(same(in_order(a, 0, 3).batch, in_order(b, 0, 3).batch));
}

TEST(Batches, ReadATextAlikeWhateverIsReadWithIt) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), in_place_objective(), settings(Packing::isolated));
  const Batch together = in_order(batches, 2, 5).batch;
  for (std::int64_t i = 0; i < 5; ++i) {
    const Batch alone = in_order(batches, 2 + i, 1).batch;
    EXPECT_TRUE(
        std::equal(alone.tokens.begin(), alone.tokens.end(), together.tokens.begin() + i * 8));
  }
}

TEST(Batches, ReadTextsInTheOrderInWhichTheyAreAskedFor) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), in_place_objective(), settings(Packing::isolated));
  const std::vector<std::int64_t> numbers = {9, 2, 5};
  const SampledBatch drawn = batches.read(numbers);
  ASSERT_EQ(drawn.examples.size(), 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(drawn.examples[row].text.index, numbers[row]);
    EXPECT_EQ(drawn.examples[row].text.tokens.data(), tokens.data() + 8 * numbers[row]);
    EXPECT_EQ(drawn.examples[row].text.row, static_cast<std::int64_t>(row));
  }
}

TEST(Batches, ChangingADocumentLeavesTheRowsOfOthersAsTheyWere) {
  const auto tokens = corpus_of(40);
  auto changed = tokens;
  changed[17] = 500;  // within the third window of 8
  for (const Objective& objective : {causal(), in_place_objective()}) {
    const Batches a(part_of(tokens), objective, settings(Packing::isolated));
    const Batches b(part_of(changed), objective, settings(Packing::isolated));
    for (std::int64_t text = 0; text < a.texts(); ++text)
      EXPECT_EQ(same(in_order(a, text, 1).batch, in_order(b, text, 1).batch), text != 2) << text;
  }
}

TEST(Batches, IsolatedContinuationGetsOneDocumentsPartAtATime) {
  const std::vector<Token> tokens = {begin_token, 20, end_token, begin_token, 21, 22, 23, 24};
  const Batches batches(part_of(tokens), causal(), settings(Packing::isolated, 1));
  const SampledBatch drawn = in_order(batches, 0, 1);
  ASSERT_EQ(drawn.examples.size(), 2u);
  EXPECT_THAT(drawn.examples[0].text.tokens, ElementsAre(begin_token, 20, end_token));
  EXPECT_THAT(drawn.examples[1].text.tokens, ElementsAre(begin_token, 21, 22, 23, 24));
  EXPECT_EQ(drawn.examples[1].text.document, 1);
  EXPECT_EQ(drawn.examples[1].text.tokens.data(), tokens.data() + 3);
  const Batches joined(part_of(tokens), causal(), settings(Packing::joined, 1));
  EXPECT_EQ(in_order(joined, 0, 1).examples.size(), 1u);
}

TEST(Batches, FragmentsOfARowAreCorruptedByDrawsOfTheirOwn) {
  std::vector<std::uint64_t> draws;
  Objective objective = causal();
  objective.transform = [&](const Text& text, Rng rng) {
    draws.push_back(rng.next());
    return continued(text, rng);
  };
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), objective, settings(Packing::isolated));
  for (std::int64_t step = 0; step < 10; ++step) batches.step(step);
  EXPECT_GT(draws.size(), 30u);
  EXPECT_EQ(std::set(draws.begin(), draws.end()).size(), draws.size());
}

TEST(Batches, PaddedRowsHoldEveryDocumentInPieces) {
  std::vector<Token> tokens = corpus_of(2);
  tokens.insert(tokens.end(), {begin_token, 30, 31, 32, 33, 34, 35, 36, 37, end_token});
  const Batches batches(part_of(tokens), causal(), settings(Packing::padded));
  ASSERT_EQ(batches.texts(), 4);
  const Batch batch = in_order(batches, 0, 4).batch;
  std::vector<Token> without_pads;
  for (const Token token : batch.tokens)
    if (token != pad_token) without_pads.push_back(token);
  EXPECT_EQ(without_pads, tokens);
}

TEST(Batches, MarksStandBesideTheirTokens) {
  const auto tokens = corpus_of(10);
  std::vector<std::uint8_t> marks;
  for (const Token token : tokens) marks.push_back(static_cast<std::uint8_t>(token % 8));
  const Batches batches({.tokens = tokens, .marks = marks}, causal(), settings(Packing::isolated));
  for (const PlacedExample& placed : in_order(batches, 0, batches.texts()).examples)
    for (std::size_t i = 0; i < placed.text.tokens.size(); ++i)
      EXPECT_EQ(placed.text.marks[i], placed.text.tokens[i] % 8);
}

TEST(Batches, AnObjectiveMayMakeNothingOfAText) {
  Objective objective = causal();
  objective.transform = [](const Text&, Rng) { return std::vector<Example>(); };
  const auto tokens = corpus_of(10);
  const SampledBatch drawn =
      Batches(part_of(tokens), objective, settings(Packing::isolated)).step(0);
  EXPECT_THAT(drawn.batch.scored.front().positions, IsEmpty());
  EXPECT_EQ(drawn.batch.tokens, std::vector<Token>(24, pad_token));
}

TEST(Batches, MayBeDrawnFromSeveralThreads) {
  const auto tokens = corpus_of(40);
  const Batches batches(part_of(tokens), in_place_objective(), settings(Packing::isolated, 1));
  std::vector<Batch> drawn(60);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < drawn.size(); i += 3)
        drawn[i] = batches.step(static_cast<std::int64_t>(i)).batch;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < drawn.size(); ++i)
    EXPECT_TRUE(same(drawn[i], batches.step(static_cast<std::int64_t>(i)).batch));
}

TEST(Batches, RefuseWhatIsNotThere) {
  const auto tokens = corpus_of(10);
  const auto make = [&](BatchSettings by) { return Batches(part_of(tokens), causal(), by); };
  EXPECT_THROW(make(settings(Packing::isolated, 1, 1000)), std::invalid_argument);
  EXPECT_THROW(make(settings(Packing::isolated, 0)), std::invalid_argument);
  EXPECT_THROW(make(settings(Packing::isolated, 1, 0)), std::invalid_argument);
  const Batches batches = make(settings(Packing::isolated));
  EXPECT_THROW(batches.step(-1), std::invalid_argument);
  EXPECT_THROW(in_order(batches, -1, 1), std::invalid_argument);
  EXPECT_THROW(in_order(batches, 0, batches.texts() + 1), std::invalid_argument);
  EXPECT_THROW(batches.read({}), std::invalid_argument);
  const std::vector<Token> none;
  EXPECT_THROW(Batches(part_of(none), causal(), settings(Packing::padded)), std::invalid_argument);
}

TEST(BatchesOfSeveralParts, AreThoseOfOneWhereThereIsOne) {
  const std::vector<Token> tokens = corpus_of(60);
  const Batches one(part_of(tokens), in_place_objective(), settings(Packing::isolated));
  const Batches same_one({{part_of(tokens), 1.0}}, in_place_objective(),
                         settings(Packing::isolated));
  for (const std::int64_t step : {0, 1, 40})
    EXPECT_TRUE(same(one.step(step).batch, same_one.step(step).batch)) << step;
}

TEST(BatchesOfSeveralParts, ReadEachPartWholeByItsShare) {
  const std::vector<Token> tokens = corpus_of(60), others(200, special_count + 5000);
  const Batches mixed({{part_of(tokens), 0.5}, {part_of(others), 0.5}}, causal(),
                      settings(Packing::joined));
  const std::size_t texts = tokens.size() / 8;
  std::set<std::ptrdiff_t> read;  // where the first part's texts start
  std::int64_t steps = 0;
  for (bool again = false; !again; ++steps)
    for (const PlacedExample& placed : mixed.step(steps).examples) {
      if (placed.text.tokens[0] == special_count + 5000) continue;
      again |= !read.insert(placed.text.tokens.data() - tokens.data()).second;
    }
  EXPECT_EQ(read.size(), texts) << "a text was read again before every other was read";
  const auto rows = static_cast<double>(3 * steps), own = static_cast<double>(texts);
  EXPECT_NEAR(rows, 2 * own, 5 * std::sqrt(2 * own));  // five sigmas of a negative binomial
}

}  // namespace
}  // namespace ablate::data
