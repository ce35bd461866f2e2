#include "harness/probes/tagging/tag_schemes_spec.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "harness/base/error.h"

namespace ablate::probes {
namespace {

constexpr std::string_view kLetters = "BIESLUMW";

/// The type of entities whose tags are letters alone.
constexpr std::string_view kNoType = "entity";

/// How a tag is written.
struct Notation {
  char separator = '-';  // between letter and type; 0: letters alone
  bool letter_last = false;
  bool lower = false;  // the letter
};

constexpr Notation kNotations[] = {{'-', false, false}, {'_', false, false}, {'-', true, false},
                                   {'_', true, false},  {0, false, false},   {'-', false, true},
                                   {'_', false, true},  {'-', true, true},   {'_', true, true},
                                   {0, false, true}};

/// A tag inside an entity: its place there, as a capital, and the entity's type.
struct Part {
  char letter = 'O';
  std::string type;
};

bool is_outside(const std::string& tag, const Notation& notation) {
  return tag == "O" || (notation.lower && tag == "o");
}

/// The capital of the letter, 0 where it is none of a scheme's.
char capital_of(char letter, const Notation& notation) {
  const auto byte = static_cast<unsigned char>(letter);
  if ((std::islower(byte) != 0) != notation.lower) return 0;
  const auto capital = static_cast<char>(std::toupper(byte));
  return kLetters.find(capital) == kLetters.npos ? '\0' : capital;
}

/// A tag as a notation writes it, nothing where it does not.
std::optional<Part> part_of(const std::string& tag, const Notation& notation) {
  if (is_outside(tag, notation)) return Part{};
  const bool alone = notation.separator == 0;
  if (tag.empty() || (alone ? tag.size() != 1 : tag.size() < 3)) return std::nullopt;
  const std::size_t last = tag.size() - 1;
  const char letter = capital_of(tag[notation.letter_last ? last : 0], notation);
  if (letter == 0) return std::nullopt;
  if (alone) return Part{letter, std::string(kNoType)};
  if (tag[notation.letter_last ? last - 1 : 1] != notation.separator) return std::nullopt;
  return Part{letter, notation.letter_last ? tag.substr(0, last - 1) : tag.substr(2)};
}

/// The tags of a file, and where they stand.
struct File {
  const std::vector<TaggedSentence>& sentences;
  const std::filesystem::path& path;

  /// "FILE:LINE".
  std::string at(const TaggedSentence& sentence, std::size_t word) const {
    return fmt::format("{}:{}", path.string(), sentence.lines.at(word));
  }
};

/// The notation that most tags of entities are written in.
const Notation& notation_of(const File& file) {
  std::map<std::string, std::size_t> counts;
  for (const TaggedSentence& sentence : file.sentences)
    for (const std::string& tag : sentence.tags) ++counts[tag];
  const Notation* best = &kNotations[0];
  std::size_t most = 0;
  for (const Notation& notation : kNotations) {
    std::size_t written = 0;
    for (const auto& [tag, count] : counts)
      if (!is_outside(tag, notation) && part_of(tag, notation)) written += count;
    if (written > most) best = &notation;
    most = std::max(most, written);
  }
  return *best;
}

/// A scheme beside IOB2 and IOB1.
struct Scheme {
  std::string_view name;
  std::string_view letters;  // those that begin, continue and end an entity, and of a single word
};

constexpr Scheme kSchemes[] = {
    {"IOBES", "BIES"}, {"BILOU", "BILU"}, {"BMES", "BMES"}, {"BMEWO", "BMEW"}};

using Parts = std::vector<std::vector<Part>>;  // by sentence

Parts parts_of(const File& file, const Notation& notation) {
  Parts parts;
  for (const TaggedSentence& sentence : file.sentences) {
    std::vector<Part>& made = parts.emplace_back();
    for (std::size_t i = 0; i < sentence.tags.size(); ++i) {
      std::optional<Part> part = part_of(sentence.tags[i], notation);
      if (!part)
        fail(
            "{}: the tag '{}' does not say where an entity begins; accepted are O, B-TYPE and "
            "I-TYPE (IOB2), or IOB1, IOBES, BILOU or BMES, all tags written alike; give the first "
            "word of each entity B-TYPE and its other words I-TYPE",
            file.at(sentence, i), sentence.tags[i]);
      made.push_back(std::move(*part));
    }
  }
  return parts;
}

/// The scheme that has all letters of a file; one with those of IOB2 alone fits the first.
const Scheme& scheme_of(const File& file, const Parts& parts) {
  const Scheme* scheme = &kSchemes[0];
  std::string letters, first;  // that were seen, and the tag of the last one
  for (std::size_t s = 0; s < parts.size(); ++s)
    for (std::size_t i = 0; i < parts[s].size(); ++i) {
      const char letter = parts[s][i].letter;
      if (letter == 'O' || letters.find(letter) != letters.npos) continue;
      letters += letter;
      const auto* const fitting = std::ranges::find_if(kSchemes, [&](const Scheme& each) {
        return letters.find_first_not_of(each.letters) == letters.npos;
      });
      const std::string& tag = file.sentences[s].tags[i];
      if (fitting == std::end(kSchemes))
        fail(
            "{}: the tags '{}' and '{}' belong to no one scheme; a file has one of IOB2, IOB1, "
            "IOBES, BILOU and BMES; convert it to IOB2",
            file.at(file.sentences[s], i), first, tag);
      scheme = fitting;
      first = tag;
    }
  return *scheme;
}

/// Makes the letters of a sentence those of IOB2, in a scheme that marks where entities end. Refuses
/// entities that are not begun or not ended.
void convert_closed(const File& file, const TaggedSentence& sentence, const Scheme& scheme,
                    std::vector<Part>& parts) {
  const auto refuse = [&](std::size_t word, std::string_view fault) {
    fail(
        "{}: '{}' {}; the tags are {}, where {} begins an entity, {} continues it, {} ends it and "
        "{} is one of a single word; correct the file, or convert it to IOB2",
        file.at(sentence, word), sentence.tags[word], fault, scheme.name, scheme.letters[0],
        scheme.letters[1], scheme.letters[2], scheme.letters[3]);
  };
  constexpr std::string_view kOpen = "is of an entity that does not end";
  std::optional<std::string> open;  // the type of the entity
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t place = scheme.letters.find(parts[i].letter);  // npos: outside
    const bool within = place == 1 || place == 2;
    if (within && open != parts[i].type) refuse(i, "continues no entity of its type");
    if (!within && open) refuse(i - 1, kOpen);
    if (place == 2 || !within) open.reset();
    if (place == 0) open = parts[i].type;
    if (place != scheme.letters.npos) parts[i].letter = within ? 'I' : 'B';
  }
  if (open) refuse(parts.size() - 1, kOpen);
}

/// Whether a word's tag continues the entity of the word before.
bool follows(const std::vector<Part>& parts, std::size_t word) {
  return word > 0 && parts[word - 1].letter != 'O' && parts[word - 1].type == parts[word].type;
}

/// The first word whose tag has the letter and follows no tag of its type: its sentence and its
/// number there. Nothing where there is none.
std::optional<std::pair<std::size_t, std::size_t>> first_apart(const Parts& parts, char letter) {
  for (std::size_t s = 0; s < parts.size(); ++s)
    for (std::size_t i = 0; i < parts[s].size(); ++i)
      if (parts[s][i].letter == letter && !follows(parts[s], i)) return std::pair{s, i};
  return std::nullopt;
}

/// Tells IOB1 from IOB2 and makes the letters those of IOB2. Returns the name.
std::string convert_open(const File& file, Parts& parts) {
  const auto stray = first_apart(parts, 'I');
  if (!stray) return "IOB2";
  if (const auto begun = first_apart(parts, 'B')) {
    const auto& [s, i] = *stray;
    const TaggedSentence& other = file.sentences[begun->first];
    fail(
        "{}: '{}' continues no entity of its type, so the tags are not IOB2, where B begins every "
        "entity; nor are they IOB1, where B stands behind another entity of its type alone, since "
        "line {} has '{}'; correct the file, or convert it to IOB2",
        file.at(file.sentences[s], i), file.sentences[s].tags[i], other.lines.at(begun->second),
        other.tags[begun->second]);
  }
  for (std::vector<Part>& sentence : parts)
    for (std::size_t i = 0; i < sentence.size(); ++i)
      if (sentence[i].letter == 'I' && !follows(sentence, i)) sentence[i].letter = 'B';
  return "IOB1";
}

/// A tag of the file that shows how its tags are written; empty where that is the usual way.
std::string shown_tag(const File& file, const Notation& notation) {
  if (&notation == &kNotations[0]) return {};
  for (const TaggedSentence& sentence : file.sentences)
    for (const std::string& tag : sentence.tags)
      if (!is_outside(tag, notation)) return tag;
  return {};
}

}  // namespace

std::string TagScheme::text() const {
  return tag.empty() ? name : fmt::format("{}, written as '{}'", name, tag);
}

TagScheme convert_to_iob2(std::vector<TaggedSentence>& sentences,
                          const std::filesystem::path& path) {
  const File file{sentences, path};
  const Notation& notation = notation_of(file);
  Parts parts = parts_of(file, notation);
  const Scheme& scheme = scheme_of(file, parts);
  const bool closed = std::ranges::any_of(parts, [](const std::vector<Part>& sentence) {
    return std::ranges::any_of(sentence, [](const Part& part) {
      return std::string_view("OBI").find(part.letter) == std::string_view::npos;
    });
  });
  TagScheme found{.name = std::string(scheme.name), .tag = shown_tag(file, notation)};
  if (!closed) found.name = convert_open(file, parts);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    if (closed) convert_closed(file, sentences[s], scheme, parts[s]);
    for (std::size_t i = 0; i < parts[s].size(); ++i)
      sentences[s].tags[i] = parts[s][i].letter == 'O'
                                 ? "O"
                                 : fmt::format("{}-{}", parts[s][i].letter, parts[s][i].type);
  }
  return found;
}

}  // namespace ablate::probes
