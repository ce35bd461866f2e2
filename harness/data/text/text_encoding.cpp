#include "harness/data/text/text_encoding.h"

#include <algorithm>

#include "harness/base/utf8.h"

namespace ablate::data {
namespace {

/// Numbers of bytes by kind.
struct ByteCounts {
  std::size_t control = 0;     // control characters that text does not have
  std::size_t letters = 0;     // of ASCII
  std::size_t characters = 0;  // bytes of valid UTF-8 characters outside ASCII
  std::size_t invalid = 0;     // bytes outside ASCII that are not UTF-8
  std::size_t unassigned = 0;  // invalid ones that Windows-1252 assigns no character
};

bool is_letter(unsigned char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool is_control(unsigned char byte) {
  constexpr unsigned char kEscape = 0x1B;
  const bool white_space = byte >= '\t' && byte <= '\r';
  return (byte < 0x20 && !white_space && byte != kEscape) || byte == 0x7F;
}

bool is_unassigned(unsigned char byte) {
  return byte == 0x81 || byte == 0x8D || byte == 0x8F || byte == 0x90 || byte == 0x9D;
}

ByteCounts count_bytes(std::string_view bytes) {
  ByteCounts counts;
  while (!bytes.empty()) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    const std::size_t length = utf8_length(bytes);
    counts.control += is_control(byte);
    counts.letters += is_letter(byte);
    if (length > 1) counts.characters += length;
    if (length == 0) {
      ++counts.invalid;
      counts.unassigned += is_unassigned(byte);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return counts;
}

}  // namespace

Encoding encoding_of(std::string_view bytes) {
  const bool nul = bytes.find('\0') != bytes.npos;
  if (!nul && first_invalid_utf8(bytes) == bytes.npos) return Encoding::utf8;
  const ByteCounts counts = count_bytes(bytes);
  if (nul || counts.control > bytes.size() / 100) return Encoding::binary;
  // In the languages that Windows-1252 is made for, few letters are outside ASCII, and two of them
  // in a row rarely look like UTF-8. In other code pages most letters are outside ASCII.
  const bool few = 2 * counts.invalid < counts.letters;
  const bool not_utf8 = counts.characters < counts.invalid / 10 + 1;
  return few && not_utf8 && counts.unassigned == 0 ? Encoding::windows_1252 : Encoding::unknown;
}

void OddFiles::add(const std::string& name, std::string_view bytes) {
  const Encoding encoding = encoding_of(bytes);
  if (encoding == Encoding::utf8) return;
  Group& group = groups_[name_of(encoding)];
  if (group.files++ == 0) group.first = name;
}

void OddFiles::add(const OddFiles& other) {
  for (const auto& [name, added] : other.groups_) {
    Group& group = groups_[name];
    if (group.files == 0) group.first = added.first;
    group.files += added.files;
  }
}

Json OddFiles::json() const {
  Json json = Json::object();
  for (const auto& [name, group] : groups_)
    json[std::string(name)] = {{"files", group.files}, {"first", group.first}};
  return json;
}

}  // namespace ablate::data
