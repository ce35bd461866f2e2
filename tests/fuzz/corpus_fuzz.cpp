// Fuzzes tokenised corpora.

#include "harness/data/corpus/corpus.h"

#include <numeric>

#include "harness/contract/vocabulary.h"
#include "harness/data/corpus/corpus_format.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

namespace ablate::fuzz {
namespace {

/// The file with the checksum of all that follows its checksum.
std::string repaired_corpus(std::string bytes) {
  const std::size_t at = data::kCorpusMagic.size(), end = at + data::kDigestSize;
  if (bytes.size() < end) return bytes;
  return bytes.replace(at, data::kDigestSize, sha256(std::string_view(bytes).substr(end)));
}

/// Reads everything that a corpus offers.
void read_all(const data::Corpus& corpus) {
  for (const data::Part* part : {&corpus.training(), &corpus.held_out()}) {
    sink = std::accumulate(part->tokens.begin(), part->tokens.end(), 0.0);
    sink = std::accumulate(part->marks.begin(), part->marks.end(), 0.0);
  }
  const Token end = special_count + std::min<Token>(corpus.ordinary(), 1000) + 1;
  for (Token token = -1; token <= end; ++token) {
    sink = static_cast<double>(corpus.bytes_of(token));
    sink = static_cast<double>(corpus.spelled(token).size());
  }
}

}  // namespace
}  // namespace ablate::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  const std::string bytes = fuzz::input_of(data, size, fuzz::repaired_corpus);
  fuzz::accept_or_refuse([&] {
    const fuzz::MemoryFile file(bytes);
    fuzz::read_all(data::Corpus::open(file.path()));
  });
  return 0;
}
