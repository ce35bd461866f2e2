// Looks up rows of a table, and adds gradients to them.

#pragma once

#include <cstdint>

#include "models/kernels/simd/simd.h"

namespace ablate::models::kernels {

/// to [count, width] = rows `indices` [count] of `table` [table rows, width]. Requires: every index
/// is a row of the table.
template <class T>
void gather_rows(const float* table, const std::int64_t* indices, std::int64_t count,
                 std::int64_t width, T* to);

/// Adds `scale` times the rows of `from` [count, width] to rows `indices` of `table`, in order.
template <class T>
void scatter_rows(const T* from, const std::int64_t* indices, std::int64_t count,
                  std::int64_t width, float scale, float* table);

}  // namespace ablate::models::kernels
