// The files behind a text corpus: found, read, checked, cut into documents.

#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/data/batches/documents.h"
#include "harness/data/text/text_clean.h"

namespace ablate::data {

/// How files become documents.
struct TextFormat {
  bool json_lines = false;  // else plain text
  std::string field;        // of a JSON Lines record: where its text stands
  DocumentRule rule;        // applied to each file, or to each record's text
};

/// The regular files that `path` names: itself, or those of a folder and of its folders whose name
/// fits `glob` (whose path below the folder does, where `glob` holds a '/'), sorted bytewise by
/// path. Names that start with a dot fit only a glob that does. In folders, symbolic links are not
/// followed, but counted; `path` itself may be one. Throws std::invalid_argument where there is no
/// such path, where it is a device or its like, or where no file of it fits.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path,
                                            const std::string& glob, Treatment& treatment);

/// Files as they lie on the disk.
struct RawText {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> bytes;      // of each
  std::vector<std::string> checksums;  // SHA-256 of each
  std::int64_t size = 0;               // bytes of all
};

/// Reads `files` in order, at most 1 GiB each and 8 GiB together. Throws std::runtime_error for
/// what cannot be read.
RawText read_raw(std::vector<std::filesystem::path> files);

/// Clean text, with its documents.
struct CutText {
  std::deque<std::string> texts;            // of files or records
  std::vector<std::string_view> documents;  // stretches of them
};

/// The documents of files. Throws std::runtime_error with file and line for what is not as the
/// format says.
CutText cut(const RawText& raw, const TextFormat& format, Treatment& treatment);

}  // namespace ablate::data
