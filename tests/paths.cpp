// The only source that is compiled with a path of this checkout: all others are the same in another
// clone, where ccache finds them.

#include "tests/paths.h"

namespace ablate {

std::filesystem::path project_root() { return PROJECT_ROOT; }
std::filesystem::path programs_folder() { return PROGRAMS; }

}  // namespace ablate
