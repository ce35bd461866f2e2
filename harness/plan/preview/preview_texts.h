// The texts of a preview: from the corpus, from a file of plain text, or given as ids.

#pragma once

#include <memory>

#include "harness/data/batches/texts.h"
#include "harness/plan/preview/preview.h"

namespace ablate::plan {

/// Texts as an objective is given them. Tokens of a corpus belong to the corpus, which must outlive
/// the texts.
struct PreviewTexts {
  std::vector<Text> texts;
  std::shared_ptr<const void> owner;  // of the other tokens and pieces that the texts refer to
  std::vector<std::string> warnings = {};
};

/// The texts that the request gives, or else `request.count` texts of the held-out part, cut as a
/// trial would cut them for these needs. Texts of the request count as documents of one corpus.
/// Throws std::invalid_argument for an invalid request.
PreviewTexts preview_texts(const PreviewRequest& request, const Prepared& prepared,
                           const Needs& needs, data::Packing packing, std::int64_t context);

}  // namespace ablate::plan
