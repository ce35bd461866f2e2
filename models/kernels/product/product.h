// Products of small float32 matrices: faster than a general library if one side is the width of a
// small model.

#pragma once

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// The left factor: term k of a row is at data[row * row_stride + k * term_stride].
struct Left {
  const float* data;
  std::int64_t row_stride, term_stride;
};

/// The right factor, row-major: [terms, columns].
struct Right {
  const float* data;
  std::int64_t stride;
};

/// Row-major: [rows, columns].
struct Result {
  float* data;
  std::int64_t stride;
};

/// Sizes of left [rows, terms] * right [terms, columns].
struct ProductShape {
  std::int64_t rows, columns, terms;
};

/// result = left * right. The order of additions does not depend on the number of rows.
void product(ProductShape shape, Left left, Right right, Result result);

/// to [columns, rows] = from [rows, columns] transposed.
void transpose(const float* from, float* to, std::int64_t rows, std::int64_t columns);

}  // namespace ablate::models::kernels
