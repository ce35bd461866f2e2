// What is done to raw bytes before they are text, and how often.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::data {

/// How often each treatment was applied. Stored with the corpus: nothing is changed in silence.
struct Treatment {
  std::int64_t files = 0;
  std::int64_t files_without_document = 0;  // empty, or of white space alone
  std::int64_t symlinks_skipped = 0;        // in folders; a path that is named is followed
  std::int64_t byte_order_marks = 0;        // removed from the start of a file
  std::int64_t carriage_returns = 0;        // removed before a line feed
  std::int64_t nul_bytes = 0;               // each replaced by U+FFFD
  std::int64_t invalid_bytes = 0;           // not UTF-8: each replaced by U+FFFD

  Json json() const;
};

/// The text of a file's or record's bytes: valid UTF-8 without a byte order mark, NUL and CR LF.
/// A carriage return on its own stays.
std::string cleaned(std::string_view bytes, Treatment& treatment);

}  // namespace ablate::data
