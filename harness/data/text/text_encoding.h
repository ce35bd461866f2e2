// Guesses the encoding of files that are not clean UTF-8, so that a warning can say what to do.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::data {

/// What the bytes of a file look like.
enum class Encoding {
  utf8,
  windows_1252,  // or Latin-1, which has the same letters
  unknown,       // neither: another code page, or UTF-8 with damaged characters
  binary,        // no text: it contains NUL bytes, or many control characters
};

/// The name in corpora, such as "windows_1252".
constexpr std::string_view name_of(Encoding encoding) {
  constexpr std::string_view kNames[] = {"utf8", "windows_1252", "unknown", "binary"};
  return kNames[static_cast<std::size_t>(encoding)];
}

/// The encoding that `bytes` most likely have.
Encoding encoding_of(std::string_view bytes);

/// The files of a corpus that are not UTF-8, by what they look like.
class OddFiles {
 public:
  /// Counts a file of this name if its bytes are not UTF-8.
  void add(const std::string& name, std::string_view bytes);

  /// Counts the files of another part, too.
  void add(const OddFiles& other);

  /// {"windows_1252": {"files": 2, "first": "novel.txt"}, ...}, by name_of(); no empty groups.
  Json json() const;

 private:
  struct Group {
    std::int64_t files = 0;
    std::string first;  // its name
  };
  std::map<std::string_view, Group> groups_;  // by the name of the encoding
};

}  // namespace ablate::data
