#include "harness/data/batches/packing.h"

#include "harness/base/error.h"

namespace ablate::data {

std::string_view name_of(Packing packing) {
  switch (packing) {
    case Packing::isolated:
      return "isolated";
    case Packing::joined:
      return "joined";
    case Packing::padded:
      break;
  }
  return "padded";
}

Packing packing_named(std::string_view name) {
  for (const Packing packing : {Packing::isolated, Packing::joined, Packing::padded})
    if (name == name_of(packing)) return packing;
  reject("packing '{}' is not known; accepted: isolated, joined, padded", name);
}

}  // namespace ablate::data
