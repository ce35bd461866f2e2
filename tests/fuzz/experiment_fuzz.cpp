// Fuzzes experiment files.

#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"
#include "tests/fuzz/reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  static const fuzz::ExperimentFolder folder;
  const std::filesystem::path file = folder.write(fuzz::input_of(data, size));
  // A file may ask for 100,000 trials, which take minutes here.
  fuzz::accept_or_refuse([&] { fuzz::read_and_check(file, {.set = {"limits.trials=200"}}); });
  return 0;
}
