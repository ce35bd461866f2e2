#include "harness/probes/compression/coded_text_spec.h"

#include <algorithm>

#include "harness/base/shuffle.h"
#include "harness/data/batches/packing.h"

namespace ablate::probes {
namespace {

constexpr std::uint64_t kSeed = 1;  // no trial's: every trial codes the same text

/// The documents of a part, without their end tokens, that have text and no special ids in it.
std::vector<std::span<const Token>> plain_documents(const data::Part& part) {
  std::vector<std::span<const Token>> documents;
  for (std::size_t first = 0; first < part.tokens.size();) {
    const std::size_t end = document_end(part.tokens, first);
    std::span<const Token> document = part.tokens.subspan(first, end - first);
    first = end;
    if (document.back() == end_token) document = document.first(document.size() - 1);
    if (document.size() < 2 || document.front() != begin_token) continue;
    if (std::ranges::all_of(document.subspan(1), [](Token id) { return id >= special_count; }))
      documents.push_back(document);
  }
  return documents;
}

/// The bytes that hold every number below `count`.
int width_of(Token count) {
  int width = 1;
  for (Token largest = std::max(count, Token{1}) - 1; largest > 255; largest >>= 8) ++width;
  return width;
}

}  // namespace

CodedText coded_text(const data::Corpus& corpus, std::int64_t maximum) {
  const std::vector<std::span<const Token>> all = plain_documents(corpus.held_out());
  std::vector<std::size_t> lengths(all.size());  // of what is coded, its begin token among it
  CodedText text;
  for (const std::size_t i :
       random_order(all.size(), Rng(kSeed, Stream::probes).fork("compression"))) {
    const std::int64_t room =
        maximum == 0 ? std::ssize(all[i]) : std::min(maximum - text.tokens + 1, std::ssize(all[i]));
    if (room < 2) break;
    lengths[i] = static_cast<std::size_t>(room);
    text.tokens += room - 1;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (lengths[i] == 0) continue;
    text.documents.push_back(all[i].first(lengths[i]));
    for (const Token token : text.documents.back()) text.bytes += corpus.bytes_of(token);
  }
  return text;
}

std::string bytes_of(const data::Corpus& corpus, std::span<const Token> tokens) {
  const bool language = corpus.has_words();
  const int width = width_of(corpus.ordinary());
  std::string bytes;
  for (const Token token : tokens) {
    if (token < special_count) continue;
    if (!language) {
      bytes += corpus.text_of(token);
      continue;
    }
    for (int byte = 0; byte < width; ++byte)
      bytes += static_cast<char>((token - special_count) >> (8 * byte) & 255);
  }
  return bytes;
}

}  // namespace ablate::probes
