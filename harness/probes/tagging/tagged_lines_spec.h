// Reads files of tagged words in CoNLL's form. Without LibTorch.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/probes/tagging/tag_schemes_spec.h"

namespace ablate::probes {

/// The sentences of a file, and what of it is no word.
struct TaggedFile {
  std::vector<TaggedSentence> sentences;  // with tags of IOB2
  TagScheme scheme;                       // that the file has
  std::int64_t comments = 0;              // lines that were left out
  bool numbered = false;                  // whether its first column numbers the words

  std::int64_t words() const;

  /// Whether any word is of an entity.
  bool has_entities() const;
};

/// Reads a word and its tag in a line, separated by tabs or, in a line that has none, by blanks (of
/// further columns the last is the tag), and blank lines between sentences. Left out are a byte
/// order mark, lines that start with "-DOCSTART-", comments (lines that start with "#" and a blank,
/// unless they look like the other words of the file), and a first column that numbers the words of
/// every sentence, as in CoNLL-U, with the lines of its ranges ("3-4"). Tags become those of IOB2,
/// see convert_to_iob2(). Throws std::runtime_error with file and line where a line has another
/// form.
TaggedFile read_tagged(const std::filesystem::path& file);

}  // namespace ablate::probes
