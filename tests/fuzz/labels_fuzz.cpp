// Fuzzes files of labelled text, as the classification probe reads them.

#include "experiments/catalog.h"
#include "harness/probes/classification/labelled_files_spec.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  fuzz::accept_or_refuse([&] {
    const fuzz::MemoryFile file(fuzz::input_of(data, size));
    const auto lines = probes::read_labelled(file.path(), {"text", "label"});
    const Params settings(catalog().probe("classification").params, Json::object());
    probes::labelled_content(lines, lines, settings, *data::byte_tokenizer());
  });
  return 0;
}
