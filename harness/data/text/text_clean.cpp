#include "harness/data/text/text_clean.h"

#include "harness/base/utf8.h"

namespace ablate::data {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Plain bytes from here on: ASCII without NUL and carriage return.
std::size_t plain_prefix(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size()) {
    const auto byte = static_cast<unsigned char>(text[count]);
    if (byte >= 0x80 || byte == '\0' || byte == '\r') break;
    ++count;
  }
  return count;
}

}  // namespace

Json Treatment::json() const {
  return {{"files", files},
          {"files_without_document", files_without_document},
          {"symlinks_skipped", symlinks_skipped},
          {"byte_order_marks", byte_order_marks},
          {"carriage_returns", carriage_returns},
          {"nul_bytes", nul_bytes},
          {"invalid_bytes", invalid_bytes}};
}

bool is_clean(std::string_view bytes) {
  return !bytes.starts_with(kByteOrderMark) && bytes.find('\0') == bytes.npos &&
         bytes.find("\r\n") == bytes.npos && first_invalid_utf8(bytes) == bytes.npos;
}

std::string cleaned(std::string_view bytes, Treatment& treatment) {
  std::string text;
  text.reserve(bytes.size());
  if (bytes.starts_with(kByteOrderMark)) {
    bytes.remove_prefix(kByteOrderMark.size());
    ++treatment.byte_order_marks;
  }
  while (!bytes.empty()) {
    std::size_t taken = plain_prefix(bytes);
    text += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (bytes.empty()) break;
    taken = utf8_length(bytes);
    if (bytes.starts_with("\r\n")) {
      ++treatment.carriage_returns;
    } else if (taken == 0 || bytes.front() == '\0') {
      ++(taken == 0 ? treatment.invalid_bytes : treatment.nul_bytes);
      text += kReplacement;
      taken = 1;
    } else {
      text += bytes.substr(0, taken);
    }
    bytes.remove_prefix(taken);
  }
  return text;
}

}  // namespace ablate::data
