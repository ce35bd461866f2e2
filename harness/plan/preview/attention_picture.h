// Draws in plain text which positions of an example see which others.

#pragma once

#include <functional>
#include <string>

#include "harness/data/batches/layout.h"

namespace ablate::plan {

/// The maximum size of a picture, for each stack. What does not fit is told below it.
struct PictureSize {
  std::size_t rows = 64;
  std::size_t columns = 64;
};

/// The attention in the batch's first row, as lines of text: one line and one column per position,
/// '#' where the position of the line sees that of the column. Each line starts with its position, a
/// '*' if something is predicted there, and the spelling of its token. An encoder is drawn first, its
/// columns to the left of a bar.
std::string attention_picture(const data::Batch& batch,
                              const std::function<std::string(Token)>& spelled,
                              const PictureSize& size = {});

}  // namespace ablate::plan
