// Who sees whom in one laid-out example, drawn with letters.

#pragma once

#include <functional>
#include <string>

#include "harness/data/batches/layout.h"

namespace ablate::plan {

/// A picture's most, whatever the example's size; what is left out is said below it.
struct PictureSize {
  std::size_t rows = 32;
  std::size_t columns = 64;  // of each stack
};

/// A row for each position that predicts something, a column for each position of the batch's first
/// row: '#' where the one sees the other. Where inputs are read apart, the encoder's positions
/// stand left of a bar. Rows are named by position and by what `spelled` makes of the token there.
std::string attention_picture(const data::Batch& batch,
                              const std::function<std::string(Token)>& spelled,
                              const PictureSize& size = {});

}  // namespace ablate::plan
