// A preview as a page shows it.

#pragma once

#include "harness/plan/preview/preview.h"
#include "reports/web/preview_page.h"

namespace ablate::commands {

/// The tokens of a preview's examples and who sees whom: of an encoder-decoder its encoder, its decoder, and
/// what the decoder sees of the inputs.
reports::PreviewedArm previewed(const plan::Preview& preview);

}  // namespace ablate::commands
