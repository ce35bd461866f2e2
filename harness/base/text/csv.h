// Fields of CSV by RFC 4180.

#pragma once

#include <string>
#include <string_view>

namespace ablate {

/// A field, quoted where needed. Text that begins with =, +, - or @, white space aside, gets an
/// apostrophe before it, because a spreadsheet would run it as a formula; so does text that begins like
/// one that got it.
std::string csv_field(std::string_view text);

/// The text that csv_field() made this field of. `field`: without its quotes.
std::string_view csv_original(std::string_view field);

}  // namespace ablate
