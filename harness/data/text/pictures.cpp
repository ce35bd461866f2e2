#include "harness/data/text/pictures.h"

#include <charconv>

#include "harness/base/error.h"
#include "harness/data/text/json_lines.h"

namespace ablate::data {
namespace {

constexpr std::size_t kMostPatches = 4096;
constexpr char kPatchEnd = ' ', kPictureEnd = '\x02';

}  // namespace

std::vector<Token> patches_in(const Json& record, const std::string& field, std::int64_t values,
                              const std::string& where) {
  const auto found = record.find(field);
  if (found == record.end())
    fail("{}: has no picture in a field '{}'; corpus.picture.field names the field", where, field);
  if (!found->is_array())
    fail("{}: '{}' is {}; a picture is a list of patches, such as [3, 17, 5]", where, field,
         kind_of(*found));
  if (found->empty() || found->size() > kMostPatches)
    fail("{}: '{}' has {} patches; a picture has 1 to {}", where, field, found->size(),
         kMostPatches);
  std::vector<Token> patches;
  for (const Json& patch : *found) {
    if (!patch.is_number_integer() || patch < 0 || patch >= values)
      fail(
          "{}: '{}' has the patch {}; each is a whole number in [0, {}), see corpus.picture.values",
          where, field, patch.dump(), values);
    patches.push_back(patch.get<Token>());
  }
  return patches;
}

std::string with_picture(const std::vector<Token>& patches, std::string_view text) {
  std::string document;
  for (const Token patch : patches) document += std::to_string(patch) + kPatchEnd;
  document += kPictureEnd;
  document += text;
  return document;
}

Pictured pictured(std::string_view document) {
  Pictured parts;
  const std::size_t end = document.find(kPictureEnd);
  parts.text = document.substr(end + 1);
  const char* const last = document.data() + end;
  for (const char* at = document.data(); at < last;) {
    Token patch = 0;
    at = std::from_chars(at, last, patch).ptr + 1;
    parts.patches.push_back(patch);
  }
  return parts;
}

}  // namespace ablate::data
