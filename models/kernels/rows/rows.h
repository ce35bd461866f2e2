// Rows of a table by index, and their gradients back into it.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// to [count, width] = rows of `table` [any, width] at `at`. Requires: indices of rows.
template <class T>
void gather_rows(const float* table, const std::int64_t* at, std::int64_t count, std::int64_t width,
                 T* to);

/// Adds `scale` times the rows of `from` [count, width] to the rows of `table` at `at`, in order.
template <class T>
void scatter_rows(const T* from, const std::int64_t* at, std::int64_t count, std::int64_t width,
                  float scale, float* table);

}  // namespace ablate::models::kernels
