// Properties of fill-in-the-middle with `level: document`: windows of rearranged documents.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/contract/realised.h"
#include "harness/data/batches/batches.h"
#include "tests/harness/data/in_order.h"
#include "tests/objectives/example_of.h"
#include "tests/objectives/middle.h"

namespace ablate::objectives {
namespace {

using Tokens = std::vector<Token>;

constexpr Token kOrdinary = 5000;

Objective middle(const Json& given) {
  Json all = {{"level", "document"}};
  all.update(given);
  return objective_of("fill_in_the_middle", all, kOrdinary, 512);
}

/// Documents of 0 to 40 words; no word occurs twice.
Tokens corpus_of(std::int64_t documents) {
  Tokens tokens;
  Token next = special_count;
  Rng rng(4);
  for (std::int64_t d = 0; d < documents; ++d) {
    tokens.push_back(begin_token);
    for (std::int64_t i = rng.below(41); i > 0; --i)
      tokens.push_back(next = special_count + (next - special_count + 1) % kOrdinary);
    tokens.push_back(end_token);
  }
  return tokens;
}

/// The windows of every document, in order.
std::map<std::int64_t, Tokens> joined(const std::vector<data::PlacedExample>& examples) {
  std::map<std::int64_t, std::map<std::int64_t, Tokens>> windows;  // by document and offset
  for (const data::PlacedExample& placed : examples)
    windows[placed.text.document][placed.text.offset] = placed.example.targets;
  std::map<std::int64_t, Tokens> documents;
  for (const auto& [document, parts] : windows)
    for (const auto& [offset, targets] : parts)
      documents[document].insert(documents[document].end(), targets.begin(), targets.end());
  return documents;
}

std::map<std::int64_t, Tokens> originals(const std::vector<data::PlacedExample>& examples) {
  std::map<std::int64_t, Tokens> documents;
  for (const data::PlacedExample& placed : examples) {
    const Passage document = placed.text.other_document(placed.text.document);
    documents[placed.text.document] = {document.tokens.begin(), document.tokens.end()};
  }
  return documents;
}

TEST(FillInTheMiddleOfDocuments, IsUndoneByReadingAllWindowsOfADocument) {
  const Tokens tokens = corpus_of(120);
  for (const data::Packing packing :
       {data::Packing::isolated, data::Packing::joined, data::Packing::padded})
    for (const char* form : {"v1", "v2"}) {
      const data::Batches batches({.tokens = tokens}, middle({{"rate", 0.8}, {"spm_form", form}}),
                                  {.packing = packing, .rows = 4, .context = 16, .seed = 3});
      const std::int64_t texts = batches.texts();
      const data::SampledBatch drawn = data::in_order(batches, 0, texts);
      auto found = joined(drawn.examples), expected = originals(drawn.examples);
      if (packing !=
          data::Packing::padded) {  // only complete windows are read, so the last document is cut
        found.erase(std::prev(found.end()));
        expected.erase(std::prev(expected.end()));
      }
      for (auto& [document, targets] : found) targets = undone(targets);
      EXPECT_EQ(found, expected) << form;
    }
}

TEST(FillInTheMiddleOfDocuments, CutsThemWhereWindowsWouldBe) {
  const Tokens tokens = corpus_of(120);
  const data::Batches batches(
      {.tokens = tokens}, middle({{"rate", 1}}),
      {.packing = data::Packing::padded, .rows = 4, .context = 16, .seed = 3});
  std::int64_t without_marks = 0;  // those that hold a part of the suffix alone, say
  for (const data::PlacedExample& placed : data::in_order(batches, 0, batches.texts()).examples) {
    const Tokens& targets = placed.example.targets;
    EXPECT_GE(targets.size(), placed.text.tokens.size());
    EXPECT_LE(targets.size(), placed.text.tokens.size() + 4);
    const auto marks = std::count_if(targets.begin(), targets.end(), [](Token token) {
      return token >= prefix_token && token <= end_middle_token;
    });
    without_marks += placed.text.offset > 0 && marks == 0 ? 1 : 0;
  }
  EXPECT_GT(without_marks, 10);
}

TEST(FillInTheMiddleOfDocuments, RearrangesAnewInEveryEpochAndAlikeWithinIt) {
  const Tokens tokens = corpus_of(60);
  const data::Batches batches(
      {.tokens = tokens}, middle({{"rate", 1}}),
      {.packing = data::Packing::padded, .rows = 1, .context = 8, .seed = 3});
  const auto epoch = [&](std::int64_t number) {
    std::vector<data::PlacedExample> all;
    for (std::int64_t i = 0; i < batches.texts(); ++i)
      for (const data::PlacedExample& placed : batches.step(number * batches.texts() + i).examples)
        all.push_back(placed);
    return all;
  };
  const std::vector<data::PlacedExample> first = epoch(0), second = epoch(1);
  auto found = joined(first);
  for (auto& [document, targets] : found) targets = undone(targets);
  EXPECT_EQ(found, originals(first)) << "windows of one document were cut differently";
  EXPECT_NE(joined(first), joined(second));
}

TEST(FillInTheMiddleOfDocuments, SaysOnceADocumentWhatWasDone) {
  const Tokens tokens = corpus_of(3000);
  const data::Batches batches(
      {.tokens = tokens}, middle({{"rate", 0.5}}),
      {.packing = data::Packing::padded, .rows = 1, .context = 8, .seed = 3});
  Realised realised;
  std::int64_t said = 0, with_words = 0;
  for (const data::PlacedExample& placed : data::in_order(batches, 0, batches.texts()).examples) {
    realised.add(placed.text, placed.example);
    said += placed.example.facts.empty() ? 0 : 1;
    with_words += placed.text.offset == 0 && placed.text.tokens.size() > 2 ? 1 : 0;
  }
  EXPECT_EQ(said, with_words);
  EXPECT_EQ(deviation(middle({{"rate", 0.5}}).intended, realised), "");
  EXPECT_NE(deviation(middle({{"rate", 0.6}}).intended, realised), "");
}

TEST(FillInTheMiddleOfDocuments, AtRateZeroIsCausalLm) {
  const Tokens tokens = corpus_of(60);
  const data::BatchSettings settings{
      .packing = data::Packing::isolated, .rows = 2, .context = 16, .seed = 3};
  const data::Batches plain({.tokens = tokens},
                            objective_of("causal_lm", Json::object(), kOrdinary, 512), settings),
      none({.tokens = tokens}, middle({{"rate", 0}}), settings);
  for (std::int64_t step = 0; step < 5; ++step) {
    const data::Batch expected = plain.step(step).batch, found = none.step(step).batch;
    EXPECT_EQ(found.tokens, expected.tokens);
    EXPECT_EQ(found.scored[0].targets, expected.scored[0].targets);
  }
}

TEST(FillInTheMiddleOfDocuments, StatesNoOptimum) {
  const ObjectiveSpec& spec = spec_of("fill_in_the_middle");
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, {{"level", "document"}})), OptimumKind::none);
  EXPECT_EQ(spec.optimum_kind(Params(spec.params, {{"level", "document"}, {"rate", 0}})),
            OptimumKind::exact);
}

}  // namespace
}  // namespace ablate::objectives
