#include "harness/data/text/plain_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/base/json/json.h"
#include "harness/base/json/parse.h"

namespace ablate::data {
namespace {

constexpr int kLines = 100;  // of a file that are looked at

/// Whether most of the first lines that are not blank are JSON objects.
bool is_json_lines(std::string_view bytes) {
  int lines = 0, objects = 0;
  for (std::size_t at = 0; at < bytes.size() && lines < kLines;) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = bytes.substr(at, end - at);
    at = end + 1;
    if (is_blank(line)) continue;
    ++lines;
    // Most lines of plain text are told by their first letter.
    const bool braced = line[line.find_first_not_of(" \t\r")] == '{';
    objects += braced && parse_or_discard(line).is_object();
  }
  return 2 * objects > lines;
}

}  // namespace

void refuse_json_name(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".jsonl" || extension == ".ndjson")
    reject(
        "corpus.paths: '{}' is JSON Lines, and \"format\": \"plain\" would train on its syntax; "
        "give \"format\": \"jsonl\", and in \"field\" the field that holds the text",
        file.string());
  if (extension == ".json")
    reject(
        "corpus.paths: '{}' is JSON, and \"format\": \"plain\" would train on its syntax; write "
        "one object a line and give \"format\": \"jsonl\" (if the syntax is wanted, name it .txt)",
        file.string());
}

void refuse_json_lines(const RawText& text) {
  std::int64_t size = 0;
  const std::filesystem::path* first = nullptr;
  for (std::size_t i = 0; i < text.files.size(); ++i) {
    if (!is_json_lines(text.bytes[i])) continue;
    size += static_cast<std::int64_t>(text.bytes[i].size());
    if (first == nullptr) first = &text.files[i];
  }
  if (first == nullptr || 2 * size <= text.size) return;
  reject(
      "corpus.paths: most lines of '{}' are JSON objects, and \"format\": \"plain\" would train on "
      "their syntax; give \"format\": \"jsonl\", and in \"field\" the field that holds the text",
      first->string());
}

}  // namespace ablate::data
