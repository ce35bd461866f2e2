#include "reports/assets/assets.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace ablate::reports {

std::string_view asset(std::string_view name) {
  const std::span<const Asset> all = assets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Asset& each) { return each.name == name; });
  if (found == all.end())
    throw std::logic_error(fmt::format("reports/assets has no file '{}'", name));
  return found->text;
}

}  // namespace ablate::reports
