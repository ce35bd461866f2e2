// What a comparison concludes.

#pragma once

#include <string_view>

namespace ablate::statistics {

/// What a difference shows.
enum class Verdict { better, worse, equivalent, inconclusive, incomparable };

/// The name of a verdict in records and reports: that of its enumerator.
std::string_view name_of(Verdict verdict);

}  // namespace ablate::statistics
