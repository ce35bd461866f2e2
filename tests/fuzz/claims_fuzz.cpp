// Fuzzes files of claims.

#include "reports/claims/read_claims.h"

#include "tests/fuzz/input.h"
#include "tests/fuzz/law.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ablate;
  fuzz::accept_or_refuse([&] {
    const reports::ClaimSet set = reports::read_claims("claims.json", fuzz::input_of(data, size));
    fuzz::sink = static_cast<double>(set.claims.size());
  });
  return 0;
}
