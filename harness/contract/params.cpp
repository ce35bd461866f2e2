// Checks given values against their declared parameters, and reads them.

#include "harness/contract/params.h"

#include <fmt/ranges.h>

#include <cmath>

#include "harness/base/error.h"
#include "harness/base/json/parse.h"
#include "harness/base/names.h"
#include "harness/base/number_text.h"

namespace ablate {
namespace {

std::string_view noun(Kind kind) {
  switch (kind) {
    case Kind::number:
      return "a number";
    case Kind::integer:
      return "an integer";
    case Kind::toggle:
      return "true or false";
    case Kind::choice:
      return "one of a list of names";
    case Kind::text:
      return "a string";
    case Kind::list:
      return "a list";
    case Kind::section:
    case Kind::member:
      break;
  }
  return "an object";
}

/// A value as shown in error messages: JSON, cut to 60 characters.
std::string shown(const Json& value) {
  std::string text = canonical(value);
  if (text.size() > 60) text.replace(57, std::string::npos, "...");
  return text;
}

bool is_of(Kind kind, const Json& value) {
  switch (kind) {
    case Kind::number:
      return value.is_number();
    case Kind::integer:
      return value.is_number_integer() ||
             (value.is_number_float() &&
              std::nearbyint(value.get<double>()) == value.get<double>() &&
              std::abs(value.get<double>()) < 0x1.0p53);
    case Kind::toggle:
      return value.is_boolean();
    case Kind::choice:
    case Kind::text:
      return value.is_string();
    case Kind::list:
      return value.is_array();
    case Kind::section:
    case Kind::member:
      break;
  }
  return value.is_object();
}

/// Whether a text holds what would be of this kind without its quotes.
bool is_quoted(Kind kind, const Json& value) {
  if (!value.is_string() || kind == Kind::choice || kind == Kind::text) return false;
  const Json inside = parse_or_discard(value.get_ref<const std::string&>());
  return !inside.is_discarded() && is_of(kind, inside);
}

class Resolver {
 public:
  explicit Resolver(std::vector<Refusal>& refusals) : refusals_(refusals) {}

  Json object(std::span<const Param> declared, const Json& given, const std::string& at) {
    Json values = Json::object();
    if (!given.is_object()) {
      refuse(at, "expected an object, got {}", shown(given));
      return values;
    }
    for (const auto& [key, value] : given.items()) check_known(declared, key, at);
    for (const Param& param : declared) {
      const auto found = given.find(param.name);
      const std::string here = at + "/" + std::string(param.name);
      if (found != given.end()) {
        Json value = one(param, *found, here);
        if (param.absent_as.is_null() || value != param.absent_as)
          values[std::string(param.name)] = std::move(value);
      } else if (param.kind == Kind::section && !param.optional)
        values[std::string(param.name)] = object(param.fields, Json::object(), here);
      else if (!param.default_value.is_null())
        values[std::string(param.name)] = one(param, param.default_value, here);
      else if (!param.optional)
        refuse(at, "'{}' is missing ({})", param.name, param.description);
    }
    return values;
  }

 private:
  template <class... Args>
  void refuse(const std::string& at, fmt::format_string<Args...> message, Args&&... args) {
    refusals_.push_back({at, fmt::format(message, std::forward<Args>(args)...)});
  }

  void check_known(std::span<const Param> declared, const std::string& key, const std::string& at) {
    std::vector<std::string_view> names;
    for (const Param& param : declared) {
      if (param.name == key) return;
      names.push_back(param.name);
    }
    refuse(at + "/" + key, "no parameter is named '{}'{} accepted here: {}", key,
           did_you_mean(key, names),
           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
    refusals_.back().about_key = true;
  }

  Json one(const Param& param, const Json& value, const std::string& at) {
    if (!is_of(param.kind, value)) {
      refuse(at, "{} = {} is not {}{} ({})", param.name, shown(value), noun(param.kind),
             is_quoted(param.kind, value) ? "; remove the quotes" : "", param.description);
      return value;
    }
    switch (param.kind) {
      case Kind::number:
        return in_range(param, value.get<double>(), at), Json(value.get<double>());
      case Kind::integer:
        return in_range(param, value.get<double>(), at),
               value.is_number_integer() ? value
                                         : Json(static_cast<std::int64_t>(value.get<double>()));
      case Kind::choice:
        check_choice(param, value.get<std::string>(), at);
        return value;
      case Kind::list:
        return members(param, value, at);
      case Kind::section:
        return object(param.fields, value, at);
      case Kind::member:
        return of_family(param.family, value, at);
      case Kind::toggle:
      case Kind::text:
        break;
    }
    return value;
  }

  Json of_family(const Family& family, const Json& value, const std::string& at) {
    std::vector<std::string_view> names;
    for (const FamilyMember& one : family.members()) {
      if (value.contains("type") && value["type"] == one.name) {
        Json own = value;
        own.erase("type");
        Json resolved = object(one.params, own, at);
        resolved["type"] = one.name;
        return resolved;
      }
      names.push_back(one.name);
    }
    if (!value.contains("type")) {
      refuse(at, "'type' is missing; there are: {}", fmt::join(names, ", "));
    } else {
      const Json& type = value["type"];
      const std::string given = type.is_string() ? type.get<std::string>() : shown(type);
      refuse(at + "/type", "no {} is named '{}'{} there are: {}", family.noun, given,
             did_you_mean(given, names), fmt::join(names, ", "));
    }
    return value;
  }

  void in_range(const Param& param, double value, const std::string& at) {
    if (!(value >= param.minimum && value <= param.maximum))  // also refuses NaN
      refuse(at, "{} = {} is outside [{}, {}] ({})", param.name, plain_number(value),
             plain_number(param.minimum), plain_number(param.maximum), param.description);
  }

  void check_choice(const Param& param, const std::string& value, const std::string& at) {
    for (const std::string_view choice : param.choices)
      if (choice == value) return;
    refuse(at, "{} = {} is not known{} accepted: {}", param.name, shown(value),
           did_you_mean(value, param.choices), fmt::join(param.choices, ", "));
  }

  Json members(const Param& param, const Json& value, const std::string& at) {
    if (static_cast<double>(value.size()) > param.maximum)
      refuse(at, "{} has {} members; at most {:g} are accepted", param.name, value.size(),
             param.maximum);
    Json values = Json::array();
    const bool plain = param.fields.size() == 1 && param.fields.front().name.empty();
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string here = at + "/" + std::to_string(i);
      values.push_back(plain ? one(named(param), value[i], here)
                             : object(param.fields, value[i], here));
    }
    return values;
  }

  /// The row of a plain list's members, named after the list for error messages.
  static Param named(const Param& list) {
    Param member = list.fields.front();
    member.name = list.name;
    if (member.description.empty()) member.description = list.description;
    return member;
  }

  std::vector<Refusal>& refusals_;
};

}  // namespace

Json resolve(std::span<const Param> declared, const Json& given, std::vector<Refusal>& refusals) {
  return Resolver(refusals).object(declared, given, "");
}

Params::Params(std::span<const Param> declared, const Json& given) {
  std::vector<Refusal> refusals;
  values_ = resolve(declared, given, refusals);
  if (!refusals.empty()) reject("{}", refusals.front().message);
}

const Json& Params::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error("undeclared parameter " + std::string(name));
  return *found;
}

double Params::number(std::string_view name) const { return at(name).get<double>(); }
std::int64_t Params::integer(std::string_view name) const { return at(name).get<std::int64_t>(); }
bool Params::toggle(std::string_view name) const { return at(name).get<bool>(); }
const std::string& Params::text(std::string_view name) const {
  return at(name).get_ref<const std::string&>();
}
const Json& Params::list(std::string_view name) const { return at(name); }
const Json& Params::section(std::string_view name) const { return at(name); }
bool Params::has(std::string_view name) const { return values_.contains(name); }

}  // namespace ablate
