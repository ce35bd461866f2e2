// Turns exceptions into messages and exit codes.

#include "experiments/commands/guard.h"

#include <iostream>

#include "harness/base/error.h"
#include "harness/base/exit_code.h"
#include "harness/plan/file/faults.h"
#include "harness/plan/trial/plan.h"

namespace ablate::commands {

int guarded(const std::function<int()>& command) {
  try {
    const int code = command();
    // If standard output is a file on a full disk, this is detected here at the latest.
    if (std::cout.flush()) return code;
    std::cerr << "ablate: standard output could not be written\n";
    return exit_failure;
  } catch (const DamagedFile& error) {
    std::cerr << "ablate: " << error.what() << '\n';
    return exit_damaged;
  } catch (const plan::ExperimentRefused& error) {
    std::cerr << error.what() << '\n';  // starts with file:line:column, for tools that parse it
    return exit_usage;
  } catch (const std::invalid_argument& error) {
    std::cerr << "ablate: " << error.what() << '\n';
    return exit_usage;
  } catch (const std::logic_error& error) {
    std::cerr << "ablate: internal error, please report it: " << error.what() << '\n';
    return exit_failure;
  } catch (const std::exception& error) {
    std::cerr << "ablate: " << error.what() << '\n';
    return exit_failure;
  }
}

}  // namespace ablate::commands
