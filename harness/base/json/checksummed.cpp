#include "harness/base/json/checksummed.h"

#include <fmt/core.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/json/parse.h"
#include "harness/base/sha256.h"

namespace ablate {
namespace {

constexpr const char* kHash = "sha256";

std::string zeros() { return std::string(64, '0'); }

// The line, without "previous". Throws where it does not verify.
Json checked_line(std::string_view text, const std::string& where, const std::string& previous) {
  Json line = parse_stored(text, where);
  if (!line.is_object() || !line.contains("sum") || !line.at("sum").is_string())
    damaged("{}: has no checksum (\"sum\"); it is damaged, or of an earlier version", where);
  Json hashed = line;
  hashed.erase("sum");
  // Numbers and escapes can be written in several ways: the bytes must be those that were hashed.
  if (line.at("sum") != Json(line_sum(hashed)) || canonical(line) != text)
    damaged("{}: does not match its checksum; it was changed, by hand or by a fault of the disk",
            where);
  if (line.value("previous", Json()) != Json(previous))
    damaged("{}: does not follow the line before it; a line was removed, added or moved", where);
  line.erase("previous");
  return line;
}

}  // namespace

std::string checksummed_text(Json document) {
  document[kHash] = zeros();
  std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  const std::string hash = sha256(text);
  // The document's own "sha256" is the one at its first level: two spaces deep.
  const std::string key = fmt::format("\n  \"{}\": \"", kHash);
  text.replace(text.find(key) + key.size(), hash.size(), hash);
  return text;
}

Json checked_document(std::string_view text, std::string_view where) {
  Json document = parse_stored(text, where);
  if (!document.is_object() || !document.contains(kHash))
    damaged("{}: has no checksum (\"{}\"); it is damaged, or of an earlier version", where, kHash);
  document.erase(kHash);
  if (checksummed_text(document) != text)
    damaged("{}: does not match its checksum; it was changed, by hand or by a fault of the disk",
            where);
  return document;
}

std::string line_sum(const Json& line) { return sha256(canonical(line)).substr(0, kSumDigits); }

Json read_checked_document(const std::filesystem::path& file) {
  return checked_document(read_file(file), file.string());
}

std::string LineChain::next(Json line) {
  line["previous"] = last_;
  last_ = line_sum(line);
  line["sum"] = last_;
  return canonical(line);
}

CheckedLines checked_lines(std::string_view bytes, std::string_view where) {
  CheckedLines checked;
  std::string previous;
  for (std::size_t end; (end = bytes.find('\n', checked.complete_bytes)) != bytes.npos;) {
    const std::string_view text =
        bytes.substr(checked.complete_bytes, end - checked.complete_bytes);
    const std::string place = fmt::format("{}:{}", where, checked.lines.size() + 1);
    Json line = checked_line(text, place, previous);
    previous = line.at("sum");
    line.erase("sum");
    checked.sums.push_back(previous);
    checked.lines.push_back(std::move(line));
    checked.complete_bytes = end + 1;
    checked.ends.push_back(end + 1);
  }
  return checked;
}

}  // namespace ablate
