// The texts that a preview is made of: of the corpus, of a file of plain text, or ids as they are
// given.

#pragma once

#include <memory>

#include "harness/data/batches/texts.h"
#include "harness/plan/preview/preview.h"

namespace ablate::plan {

/// Texts as an objective is given them, and what they point into.
struct PreviewTexts {
  std::vector<Text> texts;
  std::shared_ptr<const void> owner;  // of tokens that are not the corpus'
};

/// Texts of the request, else `request.count` of the held-out part, cut as a trial cuts them for
/// these needs. Those of one request are documents beside each other. Throws std::invalid_argument
/// for what was asked wrongly.
PreviewTexts preview_texts(const PreviewRequest& request, const Prepared& prepared,
                           const Needs& needs, data::Packing packing, std::int64_t context);

}  // namespace ablate::plan
