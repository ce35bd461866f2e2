#include "reports/web/template.h"

#include <fmt/core.h>

#include <kainjow/mustache.hpp>
#include <stdexcept>

#include "reports/assets/assets.h"
#include "reports/text/text.h"

namespace ablate::reports {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

/// Avoids what copies a value with all that it holds: set() and push_back(), and the constructor that
/// takes a list, which would do so for every level of a page.
data template_data(const Json& json) {
  if (json.is_string()) return {json.get_ref<const std::string&>()};
  if (json.is_array()) {
    data list(data::type::list);
    auto& items = const_cast<kainjow::mustache::list&>(list.list_value());  // `list` is not const
    items.reserve(json.size());  // growing would copy all items
    for (const Json& item : json) items.push_back(template_data(item));
    return list;
  }
  if (!json.is_object()) return {json == Json(true)};
  data object;
  for (const auto& [key, value] : json.items()) object[key] = template_data(value);
  return object;
}

mustache parsed(std::string_view name) {
  mustache made{std::string(asset(name))};
  if (!made.is_valid())
    throw std::logic_error(fmt::format("reports/assets/{}: {}", name, made.error_message()));
  return made;
}

}  // namespace

std::string filled(std::string_view name, const Json& json) {
  data page = template_data(json);
  for (const Asset& each : assets())
    if (each.name.ends_with(".mustache") && each.name != name) {
      parsed(each.name);
      page.set(std::string(each.name), std::string(each.text));
    }
  mustache made = parsed(name);
  made.set_custom_escape(
      [](const std::string& text) { return html_text(with_unbroken_numbers(text)); });
  return made.render(page);
}

}  // namespace ablate::reports
