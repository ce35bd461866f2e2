#include "harness/probes/text_quality/judge_text.h"

#include "harness/base/shuffle.h"
#include "harness/probes/documents.h"

namespace ablate::probes {

JudgeText::JudgeText(const data::Part& part) {
  const std::vector<std::span<const Token>> documents = documents_of(part, SIZE_MAX);
  const std::vector<std::size_t> order =
      random_order(documents.size(), Rng(1, Stream::probes).fork("judge"));
  const std::size_t trained = documents.size() * 4 / 5;
  documents_ = static_cast<std::int64_t>(trained);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span<const Token> document = documents[order[i]];
    if (i >= trained) {
      references_.emplace_back(document.begin(), document.end());
      continue;
    }
    tokens_.insert(tokens_.end(), document.begin(), document.end());
    if (part.marks.empty()) continue;
    const auto first = static_cast<std::size_t>(document.data() - part.tokens.data());
    const auto marks = part.marks.subspan(first, document.size());
    marks_.insert(marks_.end(), marks.begin(), marks.end());
  }
}

data::Part JudgeText::trained() const {
  return {.tokens = tokens_, .marks = marks_, .documents = documents_};
}

}  // namespace ablate::probes
