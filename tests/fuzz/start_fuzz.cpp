// Fuzzes what the metadata of trained weights says of their model ("config"), as train.start reads it.

#include "harness/plan/trial/start.h"
#include "harness/store/journal/checkpoint.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"
#include "tests/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  static const TemporaryFolder folder;
  const std::filesystem::path file = folder / "weights.safetensors";
  const std::vector<float> values = {1, 2};
  store::write_checkpoint(file, std::vector<store::StoredTensor>{{"a", {2}, values}},
                          {{"trial", "t"}, {"config", fuzz::input_of(data, size)}});
  const Json model = {{"model", {{"width", 8}}},
                      {"vocabulary", {{"ordinary", 8}}},
                      {"semantics", {{"backbone", 1}}}};
  fuzz::accept_or_refuse(
      [&] { plan::prepare_start({.checkpoint = file}, model, folder / "cache"); });
  return 0;
}
