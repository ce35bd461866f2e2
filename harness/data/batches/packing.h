// How documents share rows, and where they end.

#pragma once

#include <span>
#include <string_view>

#include "harness/contract/vocabulary.h"

namespace ablate::data {

/// How documents are placed in rows.
enum class Packing {
  isolated,  // documents share rows and do not see each other
  joined,    // documents share rows and see each other
  padded,    // a row has tokens of one document, padded to its end
};

/// The name of a packing in experiment files: that of the enumerator.
std::string_view name_of(Packing packing);

/// The packing of that name. Throws std::invalid_argument where there is none.
Packing packing_named(std::string_view name);

}  // namespace ablate::data
