// glibc's settings; other C libraries keep their own counsel.

#include "harness/train/heap.h"

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace ablate {

void keep_heap() {
#if defined(M_MMAP_MAX) && defined(M_TRIM_THRESHOLD) && defined(M_TOP_PAD)
  mallopt(M_MMAP_MAX, 0);         // no allocation is a mapping of its own
  mallopt(M_TRIM_THRESHOLD, -1);  // nothing is given back
  mallopt(M_TOP_PAD, 64 << 20);   // and the heap grows in large strides
#endif
}

}  // namespace ablate
