// Draws in plain text which positions of an example see which others.

#pragma once

#include <functional>
#include <string>

#include "harness/data/batches/layout.h"

namespace ablate::plan {

/// The maximum size of a picture. What does not fit is mentioned below it.
struct PictureSize {
  std::size_t rows = 32;
  std::size_t columns = 64;  // for each stack
};

/// The attention in the batch's first row, as lines of text: one line per position that predicts,
/// one column per position, '#' where the first sees the second. Positions of an encoder are drawn
/// to the left of a bar. Each line starts with its position and the spelling of its token.
std::string attention_picture(const data::Batch& batch,
                              const std::function<std::string(Token)>& spelled,
                              const PictureSize& size = {});

}  // namespace ablate::plan
