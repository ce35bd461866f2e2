// Which rule finds the words and sentences of a text.
//
// There are two. The rule of ASCII is crude, but needs no tables: it marks every corpus that it covers,
// so that such a corpus is the same with every version of ICU. All others are marked by the rules of
// Unicode.

#pragma once

#include <string>
#include <string_view>

namespace ablate::data {

/// Of Marker, or of UnicodeMarker: see text_marks.h.
enum class MarkRule { ascii, unicode };

/// What says in a corpus's about() that the rule of Unicode has marked it: "UAX 29, ICU 72.1".
std::string unicode_marks();

/// Whether the rule of ASCII is right for a text: it has no white space, no end of a sentence, no
/// closing mark after one, and no script that writes no spaces between words, but what ASCII has.
/// Requires: valid UTF-8.
bool ascii_rule_covers(std::string_view text);

/// Whether the rule of ASCII may not cover text that is made of the bytes of a file. `escapes`:
/// characters may be written as in JSON, "\u3002". Fast; true too often, never too rarely.
bool may_need_unicode_rule(std::string_view bytes, bool escapes);

}  // namespace ablate::data
