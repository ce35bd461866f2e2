// Cleans raw bytes into text, and counts the changes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::data {

/// How often each change was made. Stored with the corpus, so that every change is recorded.
struct Treatment {
  std::int64_t files = 0;
  std::int64_t files_without_document = 0;  // empty, or only white space
  std::int64_t symlinks_skipped = 0;        // links that lead to no file of their own
  std::int64_t byte_order_marks = 0;        // removed from the start of a file
  std::int64_t carriage_returns = 0;        // removed before a line feed
  std::int64_t nul_bytes = 0;               // each replaced by U+FFFD
  std::int64_t invalid_bytes = 0;           // not UTF-8: each replaced by U+FFFD

  /// How many bytes were replaced by U+FFFD.
  std::int64_t replaced() const { return nul_bytes + invalid_bytes; }

  /// The counts, by name.
  Json json() const;
};

/// Whether cleaned() would change nothing.
bool is_clean(std::string_view bytes);

/// Cleans the bytes of a file or record: the result is valid UTF-8 without byte order mark, NUL and
/// CR LF. A carriage return without line feed stays. Adds the changes to `treatment`.
std::string cleaned(std::string_view bytes, Treatment& treatment);

}  // namespace ablate::data
