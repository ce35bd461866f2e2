#include "harness/data/text/text_files.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/data/text/json_lines.h"
#include "harness/data/text/pictures.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxBytes = std::int64_t{8} << 30;

/// "does not exist", or what a link names that does not.
std::string absence_of(const fs::path& path) {
  std::error_code ignored;
  const fs::path target = fs::read_symlink(path, ignored);
  return target.empty() ? "does not exist"
                        : fmt::format("is a link to '{}', which does not exist", target.string());
}

/// Refuses a record without the text field; the message lists the fields that it has.
[[noreturn]] void fail_field(const std::string& where, const std::string& field,
                             const Json& record) {
  if (const auto found = record.find(field); found != record.end())
    fail(
        "{}: the field '{}' has no text, but {}; leave the line out, or name another field in "
        "corpus.field",
        where, field, kind_of(*found));
  std::string keys;
  for (const auto& [key, value] : record.items())
    if (keys.size() < 200) keys += (keys.empty() ? "" : ", ") + key;
  fail("{}: has no text in a field '{}'; the record has: {}; corpus.field names the field", where,
       field, keys);
}

void add_records(const fs::path& file, const std::string& text, const TextFormat& format,
                 std::deque<std::string>& texts, Treatment& treatment) {
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    ++line_number;
    at = end + 1;
    if (is_blank(line)) continue;
    const std::string where = fmt::format("{}:{}", file.string(), line_number);
    const Json record = record_in(line, where);
    const auto found = record.find(format.field);
    if (found == record.end() || !found->is_string()) fail_field(where, format.field, record);
    texts.push_back(cleaned(found->get_ref<const std::string&>(), treatment));
    if (format.picture.empty()) continue;
    if (is_blank(texts.back())) fail("{}: has a picture and no text; leave the line out", where);
    texts.back() =
        with_picture(patches_in(record, format.picture, format.patch_values, where), texts.back());
  }
}

/// The clean text of a file; the bytes themselves where nothing is to be changed. Adds the file to
/// `odd` if bytes were replaced.
std::string text_of(const fs::path& file, std::string bytes, Treatment& treatment, OddFiles& odd) {
  if (is_clean(bytes)) return bytes;
  const std::int64_t replaced = treatment.replaced();
  std::string text = cleaned(bytes, treatment);
  if (treatment.replaced() > replaced) odd.add(file.filename().string(), bytes);
  return text;
}

}  // namespace

std::vector<fs::path> files_of(const fs::path& path, const std::string& glob,
                               LinksLeftOut& left_out) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    reject(
        "corpus.paths: '{}' {}; a path starts at the folder of the file that gives it, one of "
        "--set "
        "at the current folder",
        path.string(), absence_of(path));
  if (error) fail("corpus.paths: '{}': {}", path.string(), error.message());
  if (status.type() == fs::file_type::regular) return {path};
  if (status.type() != fs::file_type::directory)
    reject("corpus.paths: '{}' is a device, a pipe or a socket; give a file or a folder",
           path.string());
  LinksLeftOut here;
  std::vector<fs::path> files;
  try {
    files = files_below(path, glob, here);
  } catch (const fs::filesystem_error& failed) {
    fail("corpus.paths: '{}': {}: {}", path.string(), failed.code().message(),
         failed.path1().string());
  }
  if (files.empty())
    reject("corpus.paths: no file in '{}' matches the glob '{}'{}{}", path.string(), glob,
           here.count() > 0 ? "; " : "", fmt::join(here.sentences(), "; "));
  left_out.add(here);
  return files;
}

RawText read_raw(std::vector<fs::path> files) {
  RawText raw;
  for (const fs::path& file : files) {
    raw.bytes.push_back(read_file(file));
    raw.checksums.push_back(sha256(raw.bytes.back()));
    raw.size += static_cast<std::int64_t>(raw.bytes.back().size());
    if (raw.size > kMaxBytes)
      reject("corpus.paths: more than {} GiB of text; give fewer files", kMaxBytes >> 30);
  }
  raw.files = std::move(files);
  return raw;
}

CutText cut(RawText raw, const TextFormat& format, Treatment& treatment) {
  CutText result;
  for (std::size_t file = 0; file < raw.files.size(); ++file) {
    const std::size_t texts = result.texts.size(), documents = result.documents.size();
    const std::string& bytes = raw.bytes[file];
    if (format.json_lines || bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
      refuse_other_forms(raw.files[file], bytes);
    std::string text = text_of(raw.files[file], std::move(raw.bytes[file]), treatment, result.odd);
    if (format.json_lines)
      add_records(raw.files[file], text, format, result.texts, treatment);
    else
      result.texts.push_back(std::move(text));
    for (std::size_t i = texts; i < result.texts.size(); ++i)
      for (const std::string_view document : format.rule.split(result.texts[i]))
        result.documents.push_back(document);
    ++treatment.files;
    treatment.files_without_document += result.documents.size() == documents;
  }
  return result;
}

}  // namespace ablate::data
