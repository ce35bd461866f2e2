// How a recurrence reads documents from their start and from their end.

#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace ablate::models {

/// Who sees whom in the rows of some lanes; all [lane, batch, time].
struct SeenRows {
  at::Tensor from, until;  // int64: position i sees j if and only if from[i] <= j < until[i]
  at::Tensor blind;        // true where nothing is seen

  /// The lanes [first, first + lanes) of these.
  SeenRows(const at::Tensor& from, const at::Tensor& until, std::int64_t first, std::int64_t lanes);
};

/// `x` with the positions of each row in reverse.
at::Tensor mirrored(const at::Tensor& x);

/// Where a document of a position with nothing begins does not matter, but that it does not fall back.
at::Tensor ascending(const at::Tensor& from, const at::Tensor& blind);

/// Reads rows from left to right: what each position gets, [lane, batch, time, ...], given the first
/// position of its document. `turned`: the rows are mirrored.
using ReadsRows = std::function<at::Tensor(const at::Tensor& from, bool turned)>;

/// What positions get of what they see, in one direction or in both, which are added up; zeros where a
/// position sees nothing. On the processor a direction that no position sees is not read; on a device,
/// where that would wait for it, `causal` alone tells that it is not.
at::Tensor both_ways(const SeenRows& seen, bool causal, const ReadsRows& read);

}  // namespace ablate::models
