#include "harness/probes/answers/answer_questions_spec.h"

namespace ablate::probes {

std::vector<Cloze> questions_about(const data::TaskDocument& document, const Params& params) {
  const std::span<const Token> tokens = document.tokens;
  const auto is_answer = [&](std::size_t i) {
    return i < tokens.size() && (document.marks[i] & answer_mark) != 0;
  };
  std::vector<Cloze> questions;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_answer(i)) continue;
    const std::size_t first = i;
    while (is_answer(i)) ++i;
    questions.push_back({tokens.first(first), tokens.subspan(first, i - first), tokens.subspan(i)});
  }
  if (!params.has("asked")) return questions;
  const std::ptrdiff_t surplus = std::ssize(questions) - params.integer("asked");
  if (surplus > 0) questions.erase(questions.begin(), questions.begin() + surplus);
  return questions;
}

}  // namespace ablate::probes
