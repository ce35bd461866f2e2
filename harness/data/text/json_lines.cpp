#include "harness/data/text/json_lines.h"

#include <algorithm>
#include <set>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/json/parse.h"

namespace ablate::data {
namespace {

using namespace std::string_view_literals;

/// A form of files, told by their first bytes.
struct Form {
  std::string_view start;
  std::string_view name;
  std::string_view remedy;
};

constexpr std::string_view kFromUtf32 = "convert it with iconv -f UTF-32 -t UTF-8 FILE > NEW_FILE";
constexpr std::string_view kFromUtf16 = "convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)";

// The longer of two forms that start alike comes first. Without a byte order mark a text is known by
// the zeros beside its first letter, which JSON has in ASCII.
constexpr Form kForms[] = {
    {"\x1F\x8B"sv, "compressed by gzip", "unpack it with gunzip --keep FILE"},
    {"\x28\xB5\x2F\xFD"sv, "compressed by Zstandard", "unpack it with unzstd FILE"},
    {"\xFD"
     "7zXZ"sv,
     "compressed by xz", "unpack it with unxz --keep FILE"},
    {"BZh91AY&SY"sv, "compressed by bzip2", "unpack it with bunzip2 --keep FILE"},
    {"PK\x03\x04"sv, "a ZIP archive", "unpack it with unzip FILE"},
    {"PAR1"sv, "Parquet", "write it as JSON Lines, one object a line"},
    {"\xFF\xFE\0\0"sv, "UTF-32", kFromUtf32},
    {"\0\0\xFE\xFF"sv, "UTF-32", kFromUtf32},
    {"{\0\0\0"sv, "UTF-32", "convert it with iconv -f UTF-32LE -t UTF-8 FILE > NEW_FILE"},
    {"\0\0\0{"sv, "UTF-32", "convert it with iconv -f UTF-32BE -t UTF-8 FILE > NEW_FILE"},
    {"\xFF\xFE"sv, "UTF-16", kFromUtf16},
    {"\xFE\xFF"sv, "UTF-16", kFromUtf16},
    {"{\0"sv, "UTF-16", "convert it with iconv -f UTF-16LE -t UTF-8 FILE > NEW_FILE"},
    {"\0{"sv, "UTF-16", "convert it with iconv -f UTF-16BE -t UTF-8 FILE > NEW_FILE"},
};

/// Whether a line has a word outside its strings.
bool has_word(std::string_view line, std::string_view word) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && quoted)
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (!quoted && line.substr(i).starts_with(word))
      return true;
  }
  return false;
}

/// The text between the quotation marks at the end of a message of the parser; empty without.
std::string quoted_at_end(std::string_view message) {
  if (!message.ends_with('\'')) return {};
  message.remove_suffix(1);
  const std::size_t first = message.rfind('\'');
  return first == message.npos ? std::string() : std::string(message.substr(first + 1));
}

std::string reason_of(std::string_view line, const Json::exception& error) {
  constexpr int kTooLarge = 406;  // of nlohmann's out_of_range
  const std::string_view what = error.what();
  for (const std::string_view word : {"NaN", "Infinity"})
    if (has_word(line, word))
      return fmt::format("{} is no number of JSON; write null, or leave the field out", word);
  if (error.id == kTooLarge)
    return fmt::format(
        "the number {} is larger than a double holds (1.8e308); write a smaller one, "
        "or a string",
        quoted_at_end(what));
  if (what.find("surrogate") != what.npos)
    return "an escape such as \\ud800 is half of a surrogate pair; write both halves, or the "
           "character itself";
  if (what.find("UTF-8") != what.npos)
    return "it has bytes that are not UTF-8; convert the file with iconv -f ENCODING -t UTF-8 FILE "
           "> "
           "NEW_FILE";
  if (what.find("unexpected end of input") != what.npos)
    return "it ends early; an object must be on one line";
  const std::size_t column = what.find("column ");
  return column == what.npos ? "it cannot be parsed" : std::string(what.substr(column));
}

/// The keys of an object at its first level, as they are written. Requires: a line that parses as one.
std::vector<std::string_view> keys_of(std::string_view line) {
  std::vector<std::string_view> keys;
  int depth = 0;
  std::size_t string = 0, end = 0;  // of the last string
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') {
      for (string = end = ++at; line[end] != '"'; ++end) end += line[end] == '\\' ? 1 : 0;
      at = end;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':' && depth == 1) {
      keys.push_back(line.substr(string, end - string));
    }
  }
  return keys;
}

/// Throws where a key stands twice: which of its values is meant is not known.
void refuse_repeated_keys(std::string_view line, const Json& record, const std::string& where) {
  const std::vector<std::string_view> keys = keys_of(line);
  if (keys.size() == record.size()) return;
  std::set<std::string> seen;
  for (const std::string_view key : keys) {
    const std::string name = parse_json(fmt::format("\"{}\"", key)).get<std::string>();
    if (!seen.insert(name).second) fail("{}: has '{}' twice; leave one of them out", where, name);
  }
}

constexpr std::string_view kArray =
    "a file of JSON Lines has an object in each line, and no list around them; jq -c '.[]' FILE > "
    "NEW_FILE writes the entries of a list so";

}  // namespace

std::string_view kind_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_number()) return "a number";
  return value.is_boolean() ? "true or false" : "a string";
}

Json record_in(std::string_view line, const std::string& where) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  const bool bracketed = first != line.npos && line[first] == '[';
  Json record;
  if (!bracketed && is_nested_deeper(line))
    fail("{}: is nested more than {} deep; write an object with the fields that are needed", where,
         kMaxJsonLevels);
  try {
    record = parse_json(line);
  } catch (const Json::exception& error) {
    fail("{}: is not JSON: {}", where, bracketed ? std::string(kArray) : reason_of(line, error));
  }
  if (!record.is_object())
    fail("{}: is not a JSON object, but {}; {}", where, kind_of(record),
         record.is_array() ? kArray : "every line of JSON Lines is one object");
  refuse_repeated_keys(line, record, where);
  return record;
}

void refuse_other_forms(const std::filesystem::path& file, std::string_view bytes) {
  const auto* const form =
      std::ranges::find_if(kForms, [&](const Form& each) { return bytes.starts_with(each.start); });
  if (form != std::end(kForms)) fail("{}: is {}; {}", file.string(), form->name, form->remedy);
}

}  // namespace ablate::data
