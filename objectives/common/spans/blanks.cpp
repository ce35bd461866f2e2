#include "objectives/common/spans/blanks.h"

namespace ablate::objectives {
namespace {

constexpr Token kStart = middle_token, kEnd = end_middle_token;  // of a span

std::int32_t place(std::size_t at) { return static_cast<std::int32_t>(at); }

}  // namespace

Example filled_blanks(std::span<const Token> tokens, std::span<const BlankSpan> spans,
                      std::span<const std::size_t> order) {
  Example example;
  std::vector<std::int32_t> mask_of;  // place of each span's mask
  std::size_t next = 0;
  for (const BlankSpan& span : spans) {
    const auto first = tokens.begin() + span.first;
    example.inputs.insert(example.inputs.end(), tokens.begin() + place(next), first);
    mask_of.push_back(place(example.inputs.size()));
    example.inputs.push_back(mask_token);
    next = static_cast<std::size_t>(span.end);
  }
  example.inputs.insert(example.inputs.end(), tokens.begin() + place(next), tokens.end());
  const std::int32_t text = place(example.inputs.size());
  for (std::int32_t i = 0; i < text; ++i) {
    example.positions.push_back(i);
    example.inner.push_back(0);
    example.sees.push_back({0, text});
  }
  std::vector<Token> read;
  for (const std::size_t number : order) {
    const BlankSpan& span = spans[number];
    const auto from = tokens.begin() + span.first, until = tokens.begin() + span.end;
    read.push_back(kStart);
    read.insert(read.end(), from, until);
    example.targets.insert(example.targets.end(), from, until);
    example.targets.push_back(kEnd);
    for (std::int32_t within = 1; within <= span.end - span.first + 1; ++within) {
      example.positions.push_back(mask_of[number]);
      example.inner.push_back(within);
      example.sees.push_back({0, place(example.sees.size()) + 1});
    }
  }
  example.weights.assign(example.targets.size(), 1.0f);
  if (read.empty()) return example;
  example.inputs.push_back(read.front());
  // One place more, which nobody reads, stands where the last target would be read.
  example.shown.assign(read.begin() + 1, read.end());
  example.shown.push_back(kEnd);
  example.positions.push_back(example.positions.back());
  example.inner.push_back(example.inner.back() + 1);
  example.sees.push_back({0, place(example.sees.size()) + 1});
  return example;
}

}  // namespace ablate::objectives
