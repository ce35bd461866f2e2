// Writes a corpus under the hash of its content.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/vocabulary.h"

namespace ablate::data {

/// The content of a corpus. The vectors of a part have one entry per token; `marks` may be empty.
struct CorpusContent {
  struct PartContent {
    std::vector<Token> tokens;
    std::vector<std::uint8_t> marks;
    std::int64_t documents = 0;
    std::int64_t bytes = 0;
  };
  PartContent training, held_out;
  std::vector<std::string> pieces;  // text of ordinary id 16 + i; empty on the built-in language
  Token ordinary = 0;
  Json about;  // an object; its "provenance" (such as paths) is stored but not hashed
};

/// Writes `content` as `folder/HASH.corpus` and returns the file's path. An existing undamaged file
/// is kept. Throws std::invalid_argument where the content is inconsistent, std::runtime_error
/// where the file cannot be written.
std::filesystem::path write_corpus(const std::filesystem::path& folder,
                                   const CorpusContent& content);

}  // namespace ablate::data
