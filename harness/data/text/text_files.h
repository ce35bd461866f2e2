// The files of a text corpus: finding, reading and checking them, and splitting them into
// documents.

#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/batches/documents.h"
#include "harness/data/text/text_clean.h"
#include "harness/data/text/text_encoding.h"
#include "harness/data/text/text_folder.h"

namespace ablate::data {

/// How files are split into documents.
struct TextFormat {
  bool json_lines = false;  // else plain text
  std::string field;        // of a JSON Lines record: the one that contains its text
  std::string picture;      // the one that contains its picture, see pictures.h; empty: none does
  std::int64_t patch_values = 0;  // that a patch of it may have
  DocumentRule rule;              // applied to each file, or to each record's text
};

/// The regular files that `path` names: itself, or the files below a folder whose names match
/// `glob`, sorted bytewise by path. Where `glob` contains a '/', it is matched against the path
/// below the folder. Names that start with a dot match only a glob that does. Links are followed,
/// see files_below(). Throws std::invalid_argument where the path does not exist, is neither a file
/// nor a folder, has no matching file, or contains a link that leads back to it.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path,
                                            const std::string& glob, LinksLeftOut& left_out);

/// The unchanged contents of files.
struct RawText {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> bytes;      // contents of each
  std::vector<std::string> checksums;  // SHA-256 of each
  std::int64_t size = 0;               // total bytes
};

/// Reads `files` in order, at most 1 GiB each and 8 GiB in total. Throws std::runtime_error where a
/// file cannot be read, std::invalid_argument where the total is larger.
RawText read_raw(std::vector<std::filesystem::path> files);

/// Clean text, with its documents.
struct CutText {
  std::deque<std::string> texts;            // of files or records
  std::vector<std::string_view> documents;  // views of them
  OddFiles odd;                             // files that are not UTF-8
};

/// Cleans the files and splits them into documents. Each file's bytes are released once its text is
/// made, because text may fill much of the memory. Throws std::runtime_error with file and line
/// where the text does not have the given format. With pictures a document is as with_picture() makes it.
CutText cut(RawText raw, const TextFormat& format, Treatment& treatment);

}  // namespace ablate::data
