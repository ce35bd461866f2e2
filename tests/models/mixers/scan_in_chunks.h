// What holds for every recurrence that reads rows in chunks.

#pragma once

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "tests/models/mixers/mixer_vectors.h"

namespace ablate::models::testing {

/// Rows [1, 2, 150, ...] of documents that cross the borders of chunks of 32 and of 64 positions.
class RowsOfDocuments {
 public:
  static constexpr std::int64_t kTime = 150;

  RowsOfDocuments() {
    from_ = at::zeros({1, 2, kTime}, at::kLong);
    for (const std::int64_t begin : {3, 32, 64, 71, 80, 130})
      from_.narrow(2, begin, kTime - begin).fill_(begin);
  }

  /// Where the documents of positions [first, first + count) begin, counted from `first`.
  at::Tensor from(std::int64_t first, std::int64_t count) const {
    return from_.narrow(2, first, count) - first;
  }

  /// Waves of these positions, [1, 2, count, size], or of 2 heads, [1, 2, count, 2, size].
  static at::Tensor part(double start, std::int64_t size, std::int64_t first, std::int64_t count) {
    return wave(start, {1, 2, kTime, size}, 1).narrow(2, first, count);
  }
  static at::Tensor by_head(double start, std::int64_t size, std::int64_t first,
                            std::int64_t count) {
    return part(start, 2 * size, first, count).unflatten(-1, {2, size});
  }

 private:
  at::Tensor from_;
};

/// Holds a scan in chunks to one position by position. `rows(first, count)` are the positions to read.
template <class Rows, class Scan>
void expect_chunks_are_steps(const Rows& rows, const Scan& scan) {
  at::Tensor state, stepped;
  const at::Tensor together = scan(rows(0, RowsOfDocuments::kTime), state);
  for (std::int64_t t = 0; t < RowsOfDocuments::kTime; ++t)
    EXPECT_TRUE(scan(rows(t, 1), stepped).allclose(together.narrow(2, t, 1), 1e-9, 1e-12)) << t;
  EXPECT_TRUE(state.allclose(stepped, 1e-9, 1e-12));
}

}  // namespace ablate::models::testing
