#include "harness/plan/trial/stored_looks.h"

#include <algorithm>
#include <functional>

#include "harness/base/error.h"

namespace ablate::plan {

statistics::Looks looks_in(const Json& sequential) {
  try {
    auto looks = sequential.at("looks").get<statistics::Looks>();
    const bool ascending =
        std::adjacent_find(looks.begin(), looks.end(), std::greater_equal<>()) == looks.end();
    if (looks.empty() || looks.front() < 1 || !ascending)
      damaged("the stored plan is damaged: its looks are {}", sequential.at("looks").dump());
    return looks;
  } catch (const Json::exception& error) {
    damaged("the stored plan is damaged: {}", error.what());
  }
}

}  // namespace ablate::plan
