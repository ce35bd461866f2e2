#include "objectives/common/rearrange/rearranging.h"

#include <algorithm>

namespace ablate::objectives {

namespace {
using Tokens = std::span<const Token>;
using Size = std::size_t;
}  // namespace

namespace {

/// Positions where the middle and the suffix start.
struct Cuts {
  Size middle = 0;
  Size suffix = 0;
};

Cuts draw_cuts(const MiddleDistribution& distribution, Tokens text, Rng& rng) {
  std::vector<Size> places;
  if (distribution.characters) places = character_places(text);
  const Size count = distribution.characters ? places.size() : text.size() + 1;
  Size first = static_cast<Size>(rng.below(static_cast<std::int64_t>(count)));
  Size second = static_cast<Size>(rng.below(static_cast<std::int64_t>(count)));
  if (first > second) std::swap(first, second);
  if (distribution.characters) return {places[first], places[second]};
  return {first, second};
}

enum class Form { psm, spm_v1, spm_v2 };

Passages rearranged(Tokens text, Cuts cuts, Form form) {
  const Tokens prefix = text.first(cuts.middle), suffix = text.subspan(cuts.suffix);
  const Tokens middle = text.subspan(cuts.middle, cuts.suffix - cuts.middle);
  const Tokens ends = mark(end_middle_token);
  switch (form) {
    case Form::psm:
      return {
          mark(prefix_token), prefix, mark(suffix_token), suffix, mark(middle_token), middle, ends};
    case Form::spm_v1:
      return {
          mark(suffix_token), suffix, mark(prefix_token), prefix, mark(middle_token), middle, ends};
    case Form::spm_v2:
      break;
  }
  return {mark(prefix_token), mark(suffix_token), suffix, mark(middle_token), prefix, middle, ends};
}

}  // namespace

Tokens mark(Token which) {
  static constexpr Token kMarks[] = {begin_token,  end_token,    prefix_token,
                                     suffix_token, middle_token, end_middle_token};
  return {std::find(std::begin(kMarks), std::end(kMarks), which), 1};
}

Arrangement arranged(const MiddleDistribution& distribution, Tokens part, Rng rng) {
  const bool begins = !part.empty() && part.front() == begin_token;
  const bool ends = part.size() > (begins ? 1 : 0) && part.back() == end_token;
  const Tokens text = part.subspan(begins ? 1 : 0, part.size() - (begins ? 1 : 0) - (ends ? 1 : 0));
  const bool transformed = rng.probability(distribution.rate) && !text.empty();
  const bool suffix_first = rng.probability(distribution.spm_rate);
  const Form spm = distribution.first_form ? Form::spm_v1 : Form::spm_v2;
  Arrangement made;
  if (transformed)
    made.passages =
        rearranged(text, draw_cuts(distribution, text, rng), suffix_first ? spm : Form::psm);
  else
    made.passages = {text};
  if (begins) made.passages.insert(made.passages.begin(), mark(begin_token));
  if (ends) made.passages.push_back(mark(end_token));
  if (!text.empty()) made.facts.push_back({"fim", transformed ? 1.0 : 0.0});
  if (transformed) made.facts.push_back({"spm", suffix_first ? 1.0 : 0.0});
  return made;
}

Size size_of(const Passages& passages) {
  Size size = 0;
  for (const Tokens passage : passages) size += passage.size();
  return size;
}

Example example_of(const Passages& passages, Size from, Size to) {
  Example example;
  example.targets.reserve(to - from);
  Size first = 0;  // of the passage
  for (const Tokens passage : passages) {
    const Size begin = std::clamp(from, first, first + passage.size()) - first;
    const Size end = std::clamp(to, first, first + passage.size()) - first;
    example.targets.insert(example.targets.end(),
                           passage.begin() + static_cast<std::ptrdiff_t>(begin),
                           passage.begin() + static_cast<std::ptrdiff_t>(end));
    first += passage.size();
  }
  example.weights.assign(example.targets.size(), 1.0f);
  if (!example.targets.empty() && example.targets.front() == begin_token)
    example.weights.front() = 0;
  return example;
}

}  // namespace ablate::objectives
