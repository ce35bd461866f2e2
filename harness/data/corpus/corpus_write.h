// Writes a corpus under the hash of what it holds.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/vocabulary.h"

namespace ablate::data {

/// What `write_corpus` is given; the vectors of a part have one entry per token.
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
  Json about;  // an object; its "provenance" (paths, say) is stored, and is no part of the hash
};

/// Writes `content` under its content hash, as `folder/HASH.corpus`, and returns the file's path. A
/// file that is there already and undamaged is kept. Throws std::invalid_argument for content that
/// contradicts itself, std::runtime_error where the file cannot be written.
std::filesystem::path write_corpus(const std::filesystem::path& folder,
                                   const CorpusContent& content);

}  // namespace ablate::data
