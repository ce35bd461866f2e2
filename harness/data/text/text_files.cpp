#include "harness/data/text/text_files.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 1'000'000;
constexpr std::int64_t kMaxBytes = std::int64_t{8} << 30;

bool fits(const std::string& glob, const fs::path& below) {
  const bool by_path = glob.find('/') != std::string::npos;
  const std::string name = by_path ? below.generic_string() : below.filename().string();
  return ::fnmatch(glob.c_str(), name.c_str(), FNM_PERIOD | (by_path ? FNM_PATHNAME : 0)) == 0;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

void add_folder(const fs::path& folder, const std::string& glob, std::vector<fs::path>& files,
                Treatment& treatment) {
  auto entry = fs::recursive_directory_iterator(folder);
  for (; entry != fs::recursive_directory_iterator(); ++entry) {
    const bool fitting = fits(glob, entry->path().lexically_relative(folder));
    if (entry->is_symlink()) {
      treatment.symlinks_skipped += fitting;
    } else if (entry->is_directory()) {
      if (is_hidden(entry->path())) entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && fitting) {
      files.push_back(entry->path());
    }
    if (files.size() > kMaxFiles)
      reject("corpus.paths: '{}' has more than {} files; give a narrower glob", folder.string(),
             kMaxFiles);
  }
}

/// Refuses a record without the text field; the message lists the fields that it has.
[[noreturn]] void fail_field(const std::string& where, const std::string& field,
                             const Json& record) {
  std::string keys;
  if (record.is_object())
    for (const auto& [key, value] : record.items())
      if (keys.size() < 200) keys += (keys.empty() ? "" : ", ") + key;
  fail("{}: has no text in a field '{}'; {}; corpus.field names the field", where, field,
       record.is_object() ? "the record has: " + keys : "the line is not an object");
}

void add_records(const fs::path& file, const std::string& text, const std::string& field,
                 std::deque<std::string>& texts, Treatment& treatment) {
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    ++line_number;
    at = end + 1;
    if (is_blank(line)) continue;
    const std::string where = fmt::format("{}:{}", file.string(), line_number);
    const Json record = Json::parse(line, nullptr, false);
    if (record.is_discarded())
      fail("{}: is not JSON; every line of JSON Lines is one object", where);
    const auto found = record.is_object() ? record.find(field) : record.end();
    if (found == record.end() || !found->is_string()) fail_field(where, field, record);
    texts.push_back(cleaned(found->get_ref<const std::string&>(), treatment));
  }
}

void refuse_utf16(const fs::path& file, std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    fail("{}: is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)", file.string());
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
                               Treatment& treatment) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    reject(
        "corpus.paths: '{}' does not exist; a path starts at the folder of the file that gives it, "
        "one of --set at the current folder",
        path.string());
  if (error) fail("corpus.paths: '{}': {}", path.string(), error.message());
  if (status.type() == fs::file_type::regular) return {path};
  if (status.type() != fs::file_type::directory)
    reject("corpus.paths: '{}' is a device, a pipe or a socket; give a file or a folder",
           path.string());
  std::vector<fs::path> files;
  try {
    add_folder(path, glob, files, treatment);
  } catch (const fs::filesystem_error& failed) {
    fail("corpus.paths: '{}': {}: {}", path.string(), failed.code().message(),
         failed.path1().string());
  }
  if (files.empty())
    reject("corpus.paths: no file in '{}' matches the glob '{}'", path.string(), glob);
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
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
    refuse_utf16(raw.files[file], raw.bytes[file]);
    std::string text = text_of(raw.files[file], std::move(raw.bytes[file]), treatment, result.odd);
    if (format.json_lines)
      add_records(raw.files[file], text, format.field, result.texts, treatment);
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
