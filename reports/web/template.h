// Fills the Mustache templates of reports/assets.

#pragma once

#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::reports {

/// The template `name` of reports/assets, filled with `data`: strings, flags, lists and objects;
/// null is what is absent. {{name}} is escaped by html_text(), {{{name}}} is not. {{>file}} is
/// another template. Throws std::logic_error where a template is not well formed.
std::string filled(std::string_view name, const Json& data);

}  // namespace ablate::reports
