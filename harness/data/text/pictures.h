// Pictures of documents of text: the patches that stand before the text of a JSON Lines record.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/contract/vocabulary.h"

namespace ablate::data {

/// The patches of a record's picture, each in [0, values): such as the codes that a vector quantiser gives
/// to the patches of an image. Throws std::runtime_error, which begins with `where` ("FILE:LINE"), where
/// the field is missing or is no such list.
std::vector<Token> patches_in(const Json& record, const std::string& field, std::int64_t values,
                              const std::string& where);

/// A document with its picture, as one string: documents are split, counted and compared as strings.
std::string with_picture(const std::vector<Token>& patches, std::string_view text);

/// The two parts of such a string.
struct Pictured {
  std::vector<Token> patches;
  std::string_view text;  // of the string
};

/// Takes apart what with_picture() made.
Pictured pictured(std::string_view document);

}  // namespace ablate::data
