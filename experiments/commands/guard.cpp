// Turns exceptions into messages and exit codes.

#include "experiments/commands/guard.h"

#include <iostream>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/base/json/json.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/trial/plan.h"
#include "harness/run/progress/text.h"

namespace ablate::commands {
namespace {

constexpr const char* kBug = "ablate: internal error, please report it: ";

/// Prints an error, which may quote files that others wrote.
int explained(const char* prefix, const std::exception& error, int code, const char* advice = "") {
  std::cerr << prefix << run::printable_lines(ablate::explained(error)) << advice << '\n';
  return code;
}

}  // namespace

int guarded(const std::function<int()>& command) {
  try {
    const int code = command();
    // If standard output is a file on a full disk, this is detected here at the latest.
    if (std::cout.flush()) return code;
    std::cerr << "ablate: standard output could not be written\n";
    return exit_failure;
  } catch (const DamagedFile& error) {
    return explained("ablate: ", error, exit_damaged);
  } catch (const plan::ExperimentRefused& error) {
    return explained("", error, exit_usage);  // starts with file:line:column, for tools that parse
  } catch (const std::invalid_argument& error) {
    return explained("ablate: ", error, exit_usage);
  } catch (const std::logic_error& error) {
    return explained(kBug, error, exit_failure);
  } catch (const Json::exception& error) {
    return explained(kBug, error, exit_failure);
  } catch (const std::exception& error) {
    if (!is_no_space(error)) return explained("ablate: ", error, exit_failure);
    return explained("ablate: ", error, exit_damaged,
                     "; free some space, then give the same command again");
  }
}

}  // namespace ablate::commands
