#include "harness/statistics/verdict.h"

namespace ablate::statistics {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::incomparable:
      return "incomparable";
    case Verdict::inconclusive:
      break;
  }
  return "inconclusive";
}

}  // namespace ablate::statistics
