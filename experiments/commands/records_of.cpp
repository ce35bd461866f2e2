#include "experiments/commands/records_of.h"

#include <filesystem>

#include "harness/base/error.h"

namespace ablate::commands {

store::Records records_of(const std::string& results) {
  if (!std::filesystem::exists(std::filesystem::path(results) / "plan.json")) {
    reject(
        "{}: holds no results (no plan.json); give the folder that `ablate run FILE --results DIR` "
        "filled",
        results);
  }
  return store::load_records(results);
}

}  // namespace ablate::commands
