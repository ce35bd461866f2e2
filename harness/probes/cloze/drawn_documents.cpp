#include "harness/probes/cloze/drawn_documents.h"

#include "harness/base/shuffle.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/documents.h"

namespace ablate::probes {

Rng asking_rng(const Subject& subject) {
  return Rng(static_cast<std::uint64_t>(subject.seed), Stream::probes).fork("cloze");
}

std::vector<std::span<const Token>> drawn_documents(const Subject& subject, std::size_t maximum,
                                                    std::size_t longest) {
  std::vector<std::span<const Token>> all = documents_of(subject.corpus.held_out(), SIZE_MAX);
  std::erase_if(all, [&](const auto document) { return !cloze_fits(document, longest); });
  std::vector<std::span<const Token>> drawn;
  for (const std::size_t i : random_order(all.size(), asking_rng(subject))) {
    if (drawn.size() == maximum) break;
    drawn.push_back(all[i]);
  }
  return drawn;
}

}  // namespace ablate::probes
