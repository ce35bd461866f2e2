// Reading what is new of rows gives the logits of whole rows.

#include "harness/probes/decoding/row_reader.h"

#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/probes/decoding/logits.h"
#include "harness/probes/documents.h"
#include "harness/train/step/feed.h"
#include "models/specs/encoder_decoder_spec.h"
#include "models/specs/layer_specs.h"
#include "tests/models/bank.h"

namespace ablate::probes {
namespace {

namespace banks = models::testing;
using Texts = std::vector<std::vector<Token>>;

constexpr std::int64_t kLongestText = 90;  // more than a chunk of linear attention
constexpr float kRounding = 1e-5f;

std::unique_ptr<train::Network> network_of(std::string_view mixer) {
  Json model = banks::tiny();
  model["depth"] = 3;
  model["context"] = kLongestText;
  model["layers"] = {mixer, "attention", mixer};
  return banks::bank(banks::settings(model));
}

Token any_token(Rng& rng) {
  return special_count + static_cast<Token>(rng.below(banks::kVocabulary.ordinary));
}

data::Batch batch_of(const Texts& texts, Attention attention) {
  const std::vector<std::span<const Token>> documents(texts.begin(), texts.end());
  return document_batch(documents, attention);
}

std::vector<float> whole_logits(train::Network& network, const data::Batch& batch,
                                std::span<const Place> places) {
  return head_logits(network, network.hidden(train::to_inputs({&batch, 1}, "cpu")), batch.time,
                     places);
}

void expect_logits_of_whole_rows(train::Network& network, RowReader& reader,
                                 const data::Batch& batch, std::span<const Place> places) {
  const std::vector<float> expected = whole_logits(network, batch, places);
  const std::vector<float> found = reader.logits(batch, places);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], kRounding) << "logit " << i;
}

/// Some other texts: each grows out of one that there was, some after losing their last tokens or with
/// another token among them.
Texts grown_out_of(const Texts& texts, Rng& rng) {
  Texts grown;
  const std::int64_t count = 1 + rng.below(5);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<Token> text = texts[static_cast<std::size_t>(rng.below(std::ssize(texts)))];
    if (rng.below(4) == 0) text.resize(static_cast<std::size_t>(1 + rng.below(std::ssize(text))));
    if (rng.below(6) == 0)
      text[static_cast<std::size_t>(rng.below(std::ssize(text)))] = any_token(rng);
    for (std::int64_t more = rng.below(4) == 0 ? rng.below(70) : 1; more > 0; --more)
      if (std::ssize(text) < kLongestText) text.push_back(any_token(rng));
    grown.push_back(std::move(text));
  }
  return grown;
}

/// Some places of some rows, not in order; the last one of a row most often alone.
std::vector<Place> some_places(const Texts& texts, Rng& rng) {
  std::vector<Place> places;
  for (std::size_t row = texts.size(); row-- > 0;) {
    if (rng.below(5) == 0) continue;
    places.push_back({row, texts[row].size() - 1});
    if (rng.below(3) == 0)
      places.push_back({row, static_cast<std::size_t>(rng.below(std::ssize(texts[row])))});
  }
  return places;
}

TEST(RowReader, GivesTheLogitsOfWholeRowsWhateverWasReadBefore) {
  const at::NoGradGuard no_gradient;
  for (const LayerKind& mixer : models::mixer_kinds()) {
    SCOPED_TRACE(mixer.name);
    const auto network = network_of(mixer.name);
    RowReader reader(*network, "cpu");
    Rng rng(5);
    Texts texts = {{begin_token}};
    for (int call = 0; call < 120; ++call) {
      texts = grown_out_of(texts, rng);
      const Attention attention = rng.below(8) == 0 ? Attention::bidirectional : Attention::causal;
      expect_logits_of_whole_rows(*network, reader, batch_of(texts, attention),
                                  some_places(texts, rng));
      if (std::ranges::all_of(texts, [](const auto& text) { return text.size() > 60; }))
        texts = {{begin_token}};
    }
  }
}

TEST(RowReader, ContinuesPrefixesThatSeeAllOfThemselves) {
  const at::NoGradGuard no_gradient;
  const auto network = network_of("attention");
  const Needs needs{.attention = Attention::bidirectional, .alignment = Alignment::continuation};
  RowReader reader(*network, "cpu");
  Rng rng(6);
  Example example;
  for (int i = 0; i < 20; ++i) example.inputs.push_back(any_token(rng));
  std::int64_t read_first = 0;
  for (int call = 0; call < 10; ++call) {
    example.targets.push_back(any_token(rng));
    example.weights.assign(example.targets.size(), 0);
    example.weights.back() = 1;
    const data::Batch batch = example_batch({&example, 1}, needs);
    const Place place{0, static_cast<std::size_t>(batch.scored[0].positions.back())};
    expect_logits_of_whole_rows(*network, reader, batch, {&place, 1});
    if (call == 0) read_first = reader.positions_read();
  }
  EXPECT_EQ(reader.positions_read(), read_first + 9) << "one position a call";
}

TEST(RowReader, ReadsOfTextsThatGrowWhatIsNew) {
  const at::NoGradGuard no_gradient;
  for (const LayerKind& mixer : models::mixer_kinds()) {
    const auto network = network_of(mixer.name);
    RowReader reader(*network, "cpu");
    Rng rng(7);
    Texts texts(4, {begin_token});
    for (std::int64_t length = 1; length < 30; ++length) {
      std::vector<Place> last;
      for (std::size_t row = 0; row < texts.size(); ++row)
        last.push_back({row, texts[row].size() - 1});
      reader.logits(batch_of(texts, Attention::causal), last);
      EXPECT_EQ(reader.positions_read(), 4 * length) << mixer.name;
      for (std::vector<Token>& text : texts) text.push_back(any_token(rng));
      std::rotate(texts.begin(), texts.begin() + 1, texts.end());
    }
  }
}

TEST(RowReader, ReadsWhatQuestionsAboutATextShareOnce) {
  const at::NoGradGuard no_gradient;
  const auto network = network_of("attention");
  RowReader reader(*network, "cpu");
  Rng rng(8);
  std::vector<Token> text = {begin_token};
  for (int i = 0; i < 40; ++i) text.push_back(any_token(rng));
  const Place last{0, text.size() - 1};
  reader.logits(batch_of({text}, Attention::causal), {&last, 1});
  Texts questions(6, text);
  std::vector<Place> places;
  for (std::size_t row = 0; row < questions.size(); ++row) {
    questions[row].push_back(any_token(rng));
    places.push_back({row, text.size()});
  }
  const std::int64_t before = reader.positions_read();
  expect_logits_of_whole_rows(*network, reader, batch_of(questions, Attention::causal), places);
  EXPECT_EQ(reader.positions_read() - before, 6);
}

TEST(RowReader, ReadsABeginningAnewThatSawWhatHasChanged) {
  const at::NoGradGuard no_gradient;
  const auto network = network_of("attention");
  RowReader reader(*network, "cpu");
  std::vector<Token> text(20, special_count);
  const Place last{0, text.size() - 1};
  expect_logits_of_whole_rows(*network, reader, batch_of({text}, Attention::bidirectional),
                              {&last, 1});
  text.back() = special_count + 1;
  expect_logits_of_whole_rows(*network, reader, batch_of({text}, Attention::bidirectional),
                              {&last, 1});
}

/// Texts that an encoder reads, each continued by a decoder.
TEST(RowReader, ReadsASourceOnceWhileItsTargetsGrow) {
  const at::NoGradGuard no_gradient;
  train::NetworkSettings settings;
  settings.model = Params(models::encoder_decoder_spec().params, banks::tiny());
  settings.hosting = {banks::kVocabulary, {}, {12, 12}};
  settings.hosting.needs.separate_inputs = true;
  const auto network = models::build_network("encoder_decoder", settings);
  train::initialise(*network, {3});
  const Needs needs{.attention = Attention::bidirectional,
                    .alignment = Alignment::continuation,
                    .separate_inputs = true};
  RowReader reader(*network, "cpu");
  Rng rng(9);
  std::vector<Example> examples(4);
  for (Example& example : examples)
    for (std::int64_t i = 3 + rng.below(8); i > 0; --i) example.inputs.push_back(any_token(rng));
  for (int call = 0; call < 9; ++call) {
    std::int64_t longest = 0;
    for (Example& example : examples) {
      example.targets.push_back(any_token(rng));
      example.weights.assign(example.targets.size(), 0);
      example.weights.back() = 1;
      longest = std::max(longest, std::ssize(example.inputs));
    }
    const data::Batch batch = example_batch(examples, needs);
    std::vector<Place> places;
    for (const std::int32_t position : batch.scored[0].positions)
      places.push_back({static_cast<std::size_t>(position / batch.time),
                        static_cast<std::size_t>(position % batch.time)});
    const std::int64_t before = reader.positions_read();
    expect_logits_of_whole_rows(*network, reader, batch, places);
    const auto rows = std::ssize(examples);
    EXPECT_EQ(reader.positions_read() - before, rows * (call == 0 ? 1 + longest : 1));
    if (call == 3) examples.pop_back();  // ends before the others
    if (call == 5) std::swap(examples[0], examples[1]);
  }
  examples[0].inputs[1] =
      examples[0].inputs[1] == special_count ? special_count + 1 : special_count;
  examples[0].targets.push_back(any_token(rng));  // of another source nothing was read
  examples[0].weights.push_back(0);
  const data::Batch batch = example_batch(examples, needs);
  const Place last{0, examples[0].targets.size() - 1};
  expect_logits_of_whole_rows(*network, reader, batch, {&last, 1});
}

}  // namespace
}  // namespace ablate::probes
