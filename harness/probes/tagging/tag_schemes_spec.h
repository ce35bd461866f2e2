// The schemes by which tags of words mark entities, told apart and converted to IOB2. Without
// LibTorch.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ablate::probes {

/// A sentence: its words, with a tag each.
struct TaggedSentence {
  std::vector<std::string> words, tags;
  std::vector<std::size_t> lines;  // of the file that each word is from; empty: from no file
};

/// How the tags of a file mark entities.
struct TagScheme {
  std::string name = "IOB2";  // or IOB1, IOBES, BILOU, BMES, BMEWO
  std::string tag;  // of the file, where it is written otherwise than "B-TYPE"; else empty

  /// Such as "IOBES", or "IOB2, written as 'LOC-B'".
  std::string text() const;

  bool operator==(const TagScheme&) const = default;
};

/// Replaces the tags of a file by those of IOB2 ("O", "B-TYPE", "I-TYPE") and returns the scheme
/// that they were in. Tags are a letter and a type, separated by '-' or '_', the letter first or
/// last, in capitals or not, or letters alone for entities of one type, called "entity". The
/// letters tell the scheme:
///   IOB2   B begins every entity, I continues one
///   IOB1   I begins and continues; B begins only behind another entity of the same type
///   IOBES  B, I, E (ends) and S (single); BILOU has L and U for these, BMES M for I, BMEWO also W
///          for S
/// Sources: Ramshaw and Marcus 1995, arXiv:cmp-lg/9505040, section 4 (IOB1); Tjong Kim Sang and
/// Veenstra 1999, arXiv:cs/9907006, section 2.1 (IOB2); Ratinov and Roth 2009, CoNLL, section 2
/// (BILOU).
/// Throws std::runtime_error with file and line where a tag is of none of them, such as a type
/// without a letter, or does not follow its scheme: no entity is guessed.
TagScheme convert_to_iob2(std::vector<TaggedSentence>& sentences,
                          const std::filesystem::path& file);

}  // namespace ablate::probes
