#include "harness/probes/representation/halves.h"

#include <algorithm>

#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"

namespace ablate::probes {
namespace {

constexpr std::size_t kFewestInHalf = 2;  // tokens of text

/// The text of a document, without begin and end token, cut to what two halves hold.
std::span<const Token> halved_text(std::span<const Token> document, std::size_t context) {
  std::span<const Token> text = document.subspan(1);
  if (!text.empty() && text.back() == end_token) text = text.first(text.size() - 1);
  return text.first(std::min(text.size(), 2 * (context - 1)));
}

std::vector<Token> half_of(std::span<const Token> text) {
  std::vector<Token> half = {begin_token};
  half.insert(half.end(), text.begin(), text.end());
  return half;
}

}  // namespace

Labelled half_documents(const data::Part& part, const SplitCounts& counts, std::int64_t context,
                        std::int64_t seed) {
  const std::vector<std::span<const Token>> documents = documents_of(part, SIZE_MAX);
  const Rng rng = Rng(static_cast<std::uint64_t>(seed), Stream::probes).fork("halves");
  const std::int64_t asked = counts.development + counts.test;
  Labelled made;
  std::int32_t drawn = 0;
  for (const std::size_t i : random_order(documents.size(), rng)) {
    if (drawn == asked) break;
    const auto text = halved_text(documents[i], static_cast<std::size_t>(context));
    const std::size_t half = text.size() / 2;
    if (half < kFewestInHalf) continue;
    made.documents.push_back(half_of(text.first(half)));
    made.documents.push_back(half_of(text.subspan(half, half)));
    made.labels.insert(made.labels.end(), 2, drawn++);
  }
  const std::int64_t development = drawn * counts.development / asked;
  made.counts = {.development = 2 * development, .test = 2 * (drawn - development)};
  return made;
}

}  // namespace ablate::probes
