// Finds a member of a family by its name.

#pragma once

#include <fmt/ranges.h>

#include <span>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/names.h"

namespace ablate {

/// The member of `specs` with that name. Throws std::invalid_argument with the closest name and the
/// list of all names if there is none. `family`: what a member is called in the message.
template <class Spec>
const Spec& find_named(std::span<const Spec> specs, std::string_view family,
                       std::string_view name) {
  std::vector<std::string_view> names;
  for (const Spec& spec : specs) {
    if (spec.name == name) return spec;
    names.push_back(spec.name);
  }
  reject("no {} is named '{}'; {}there are: {}", family, name, the_closest(name, names),
         fmt::join(names, ", "));
}

}  // namespace ablate
