// Fuzzes the SentencePiece models of the cache: loading one, and using it.

#include "harness/data/tokenizer/tokenizer.h"
#include "harness/data/tokenizer/tokenizer_sentencepiece.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

// A model in the cache stands behind its SHA-256, so what arrives here is what a checksum let
// through: no input needs a repair.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  const std::string model = fuzz::input_of(data, size);
  fuzz::accept_or_refuse([&] {
    const auto tokenizer = data::sentencepiece_tokenizer(model);
    for (const std::string_view text :
         {"It was a damned thing.\n", " two  spaces ", "\xE2\x96\x81\xE2\x96\x85<0x41><unk>",
          "\xED\x95\x9C \xF0\x9F\x98\x80 \xEF\xBF\xBD"}) {
      std::vector<Token> ids;
      tokenizer->encode(text, ids);
      tokenizer->decode(ids);
    }
  });
  return 0;
}
