// A part of a batch has every field of its rows: what a field says of a place, it says in the part.

#include "harness/data/batches/rows_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace ablate::data {
namespace {

constexpr std::int64_t kRows = 5, kTime = 4, kSourceTime = 3;

/// A batch in which no two values of all fields are equal.
Batch distinct() {
  std::int32_t next = 0;
  const auto some = [&](std::int64_t count) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), next);
    next += static_cast<std::int32_t>(count);
    return values;
  };
  Batch batch{.rows = kRows, .time = kTime, .tokens = some(kRows * kTime)};
  for (auto* field : {&batch.positions, &batch.visible_from, &batch.visible_until, &batch.also_from,
                      &batch.also_until, &batch.inner, &batch.source_from, &batch.source_until})
    *field = some(kRows * kTime);
  batch.source.time = kSourceTime;
  for (auto* field : {&batch.source.tokens, &batch.source.positions, &batch.source.visible_from,
                      &batch.source.visible_until})
    *field = some(kRows * kSourceTime);
  return batch;
}

/// All values of the rows of a batch, by field.
std::vector<std::vector<std::int32_t>> fields(const Batch& batch) {
  return {batch.tokens,
          batch.positions,
          batch.visible_from,
          batch.visible_until,
          batch.also_from,
          batch.also_until,
          batch.inner,
          batch.source_from,
          batch.source_until,
          batch.source.tokens,
          batch.source.positions,
          batch.source.visible_from,
          batch.source.visible_until};
}

TEST(RowsOf, JoinedAgainAreTheBatchInEveryField) {
  const Batch whole = distinct();
  for (const std::int64_t rows : {1, 2, 5}) {
    std::vector<std::vector<std::int32_t>> joined(fields(whole).size());
    for (std::int64_t first = 0; first < kRows; first += rows) {
      const auto part = fields(rows_of(whole, first, std::min(rows, kRows - first)));
      for (std::size_t i = 0; i < part.size(); ++i)
        joined[i].insert(joined[i].end(), part[i].begin(), part[i].end());
    }
    EXPECT_EQ(joined, fields(whole)) << rows;
  }
}

TEST(RowsOf, HaveNoFieldThatTheBatchHasNot) {
  Batch plain = distinct();
  plain.also_from = plain.also_until = plain.inner = {};
  const Batch part = rows_of(plain, 1, 2);
  EXPECT_THAT(part.also_from, testing::IsEmpty());
  EXPECT_THAT(part.inner, testing::IsEmpty());
}

}  // namespace
}  // namespace ablate::data
