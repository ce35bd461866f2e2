// A text with blanks, and what fills them one after the other.
//
// Source: Du et al. 2022, "GLM: General Language Model Pretraining with Autoregressive Blank Infilling",
// arXiv:2103.10360, sections 2.1 and 2.3.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/contract/example.h"

namespace ablate::objectives {

/// The positions [first, end) of a text.
struct BlankSpan {
  std::int32_t first = 0;
  std::int32_t end = 0;
};

/// A continuation. The inputs are the text with one mask for each span, which see each other, and a start
/// token; then each span in `order` is read after its start token, and an end token is predicted after
/// it, so that a model says how long a span is. Positions: those of the inputs in their order, and for
/// all of a span that of its mask; inner positions: 0, and from 1 on within a span. Every target has
/// weight 1. `spans`: ascending, not touching; `order`: their numbers. Without spans there are no targets.
Example filled_blanks(std::span<const Token> tokens, std::span<const BlankSpan> spans,
                      std::span<const std::size_t> order);

}  // namespace ablate::objectives
