// Stored JSON whose every byte is verified when it is read: documents, and files of lines.
//
// A document is a JSON object with "sha256", the SHA-256 of the file's bytes with the digits of the
// hash itself replaced by zeros. A file of lines has one JSON object a line, each with "previous", the
// "sum" of the line before it (empty in the first), and "sum", the first 16 digits of the SHA-256 of the
// line without it. So a byte that was changed shows, and so does a line that was removed or moved; a
// line that is missing at the end does not: what is to be complete says so elsewhere.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate {

/// The text of a document, with its checksum. Requires: an object.
std::string checksummed_text(Json document);

/// The document in a text, without its checksum. `where` is its name in messages. Throws DamagedFile
/// where a byte was changed, or it has no checksum.
Json checked_document(std::string_view text, std::string_view where);

/// The same, of a file. Throws std::runtime_error where it cannot be read, too.
Json read_checked_document(const std::filesystem::path& file);

inline constexpr std::size_t kSumDigits = 16;

/// The "sum" of a line that has none yet: the first kSumDigits digits of the SHA-256 of its canonical
/// text.
std::string line_sum(const Json& line);

/// Makes the lines of a file, one after another.
class LineChain {
 public:
  /// The chain of a new file, or behind a line whose "sum" is `last`.
  explicit LineChain(std::string last = "") : last_(std::move(last)) {}

  /// The text of the next line, without its newline. Requires: an object without "previous" and "sum".
  std::string next(Json line);

 private:
  std::string last_;
};

/// The lines of a file, without "previous" and "sum".
struct CheckedLines {
  std::vector<Json> lines;
  std::vector<std::size_t> ends;   // of each line, in bytes from the start: behind its newline
  std::vector<std::string> sums;   // of each line
  std::size_t complete_bytes = 0;  // of all lines; what follows is the beginning of a line
};

/// Verifies the lines of a file; a last one without its newline is no line yet. `where` is the file's
/// name in messages. Throws DamagedFile, with the line's number, for the first line that does not
/// verify.
CheckedLines checked_lines(std::string_view bytes, std::string_view where);

}  // namespace ablate
