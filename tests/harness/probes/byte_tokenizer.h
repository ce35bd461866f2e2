// Text as bytes, for the tests of probes that read files.

#pragma once

#include "harness/data/tokenizer/tokenizer.h"
#include "tests/harness/probes/fixture.h"

namespace ablate::probes::testing {

/// A token a byte. The program's own is not linked beside LibTorch.
struct ByteTokenizer : data::Tokenizer {
  ByteTokenizer() : data::Tokenizer(all()) {}

  static std::vector<std::string> all() {
    std::vector<std::string> pieces;
    for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
    return pieces;
  }

  void encode(std::string_view text, std::vector<Token>& ids) const override {
    for (const char c : text) ids.push_back(special_count + static_cast<unsigned char>(c));
  }
};

/// A corpus of one letter a part, or of more in its held-out one: for models that are asked about files.
inline data::Corpus byte_corpus(const std::vector<Token>& held_out = {begin_token, 16 + 'a',
                                                                      end_token}) {
  data::CorpusContent content{
      .pieces = ByteTokenizer::all(), .ordinary = 256, .about = {{"kind", "text"}}};
  content.training.tokens = {begin_token, 16 + 'a', end_token};
  content.held_out.tokens = held_out;
  content.training.documents = content.held_out.documents = 1;
  return stored(content);
}

}  // namespace ablate::probes::testing
