// Two neighbouring terms of a sum make a pair: 32 bits, of which one instruction multiplies and
// adds sixteen. The right factor is packed in pairs, a panel of 64 columns at a time; the left one
// is read in place where its terms are neighbours, else packed too.

#include "models/kernels/product_bfloat16.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "models/kernels/scratch.h"

namespace ablate::kernels {

bool has_bfloat16_products() {
  static const bool tiles = has_amx_bfloat16();
  return !tiles && level() == Level::avx512_bfloat16;
}

}  // namespace ablate::kernels

#if defined(__x86_64__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 in its own header
#include <immintrin.h>
#pragma GCC diagnostic pop

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma")
#define ABLATE_HAS_BFLOAT16

namespace ablate::kernels {
namespace {

constexpr std::int64_t kWidth = 16;
#include "models/kernels/vectors.inc"

#include "models/kernels/pairs.inc"

constexpr std::int64_t kPanel = 4 * kVector;  // columns of a whole panel
constexpr std::int64_t kBlock = 256;          // pairs of a block where both factors are packed

// GELU of the sums, and its derivative there.
struct GeluTarget {
  BFloat16 *data, *slopes;
  std::int64_t stride, columns;

  ABLATE_INLINE __m512 start(std::int64_t, std::int64_t) const { return _mm512_setzero_ps(); }
  ABLATE_INLINE void put(std::int64_t row, std::int64_t column, __m512 sums) const {
    const V x = (V)sums;
    V distribution, density;
    normal<Rough>(x, distribution, density);
    const __mmask16 lanes = first_lanes(columns - column);
    stored(data + row * stride + column, lanes, (__m512)(x * distribution));
    stored(slopes + row * stride + column, lanes, (__m512)(distribution + x * density));
  }
  void skip_rows(std::int64_t rows) { data += rows * stride, slopes += rows * stride; }
};

template <int kColumns, class To>
void panel_of(LeftPairs left, const Pair* right, std::int64_t rows, std::int64_t pairs, To target) {
  const auto run = [&]<int kRows>() {
    for (; rows >= kRows; rows -= kRows) {
      tile<kRows, kColumns>(left, {right, kColumns * kVector}, pairs, target);
      left.data += kRows * left.row_stride;
      target.skip_rows(kRows);
    }
  };
  run.template operator()<6>();
  run.template operator()<2>();
  run.template operator()<1>();
}

template <class To>
void panel(LeftPairs left, const Pair* right, std::int64_t rows, std::int64_t pairs,
           std::int64_t vectors, To target) {
  switch (vectors) {
    case 1:
      return panel_of<1>(left, right, rows, pairs, target);
    case 2:
      return panel_of<2>(left, right, rows, pairs, target);
    case 3:
      return panel_of<3>(left, right, rows, pairs, target);
    default:
      return panel_of<4>(left, right, rows, pairs, target);
  }
}

// Calls `run(first, columns, vectors)` for each panel. Five vectors are cut into three and two.
template <class Run>
ABLATE_INLINE void each_panel(std::int64_t columns, const Run& run) {
  for (std::int64_t first = 0; first < columns;) {
    const std::int64_t left = (columns - first + kVector - 1) / kVector;
    const std::int64_t vectors = left == 5 ? 3 : std::min<std::int64_t>(left, 4);
    run(first, std::min(vectors * kVector, columns - first), vectors);
    first += vectors * kVector;
  }
}

const Pair* as_pairs(const BFloat16* from) { return reinterpret_cast<const Pair*>(from); }

}  // namespace

namespace {

// Products of x with the weight transposed; `target(first, columns)`: where those of a panel go.
template <class TargetOf>
ABLATE_INLINE void transposed_products(const BFloat16* x, const BFloat16* weight, std::int64_t rows,
                                       std::int64_t out, std::int64_t in, const TargetOf& target) {
  const std::int64_t pairs = in / 2;
  Pair* const packed = scratch<Pair>(pairs * kPanel);
  each_panel(out, [&](std::int64_t first, std::int64_t columns, std::int64_t vectors) {
    pack_columns(weight + first * in, in, pairs, columns, vectors, packed);
    panel(LeftPairs{as_pairs(x), pairs, 1}, packed, rows, pairs, vectors, target(first, columns));
  });
}

}  // namespace

void times_transposed(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in) {
  transposed_products(x, weight, rows, out, in, [&](std::int64_t first, std::int64_t columns) {
    return Target<BFloat16>{to + first, out, columns, false};
  });
}

void times_transposed_gelu(const BFloat16* x, const BFloat16* weight, BFloat16* to,
                           BFloat16* slopes, std::int64_t rows, std::int64_t out, std::int64_t in) {
  transposed_products(x, weight, rows, out, in, [&](std::int64_t first, std::int64_t columns) {
    return GeluTarget{to + first, slopes + first, out, columns};
  });
}

void times(const BFloat16* x, const BFloat16* weight, BFloat16* to, std::int64_t rows,
           std::int64_t out, std::int64_t in) {
  const std::int64_t pairs = out / 2;
  Pair* const packed = scratch<Pair>(pairs * kPanel);
  each_panel(in, [&](std::int64_t first, std::int64_t columns, std::int64_t vectors) {
    pack_rows(weight + first, in, out, columns, vectors, packed);
    panel(LeftPairs{as_pairs(x), pairs, 1}, packed, rows, pairs, vectors,
          Target<BFloat16>{to + first, in, columns, false});
  });
}

void transposed_times(const BFloat16* left, const BFloat16* right, float* to, std::int64_t rows,
                      std::int64_t out, std::int64_t in) {
  const std::int64_t vectors_out = (out + kVector - 1) / kVector;
  Pair* const packed = scratch<Pair>(kBlock * (kPanel + vectors_out * kVector));
  Pair* const packed_left = packed + kBlock * kPanel;
  if (rows == 0) std::fill_n(to, out * in, 0.0f);
  for (std::int64_t row = 0; row < rows; row += 2 * kBlock) {
    const std::int64_t here = std::min(2 * kBlock, rows - row), pairs = (here + 1) / 2;
    pack_rows(left + row * out, out, here, out, vectors_out, packed_left);
    each_panel(in, [&](std::int64_t first, std::int64_t columns, std::int64_t vectors) {
      pack_rows(right + row * in + first, in, here, columns, vectors, packed);
      panel(LeftPairs{packed_left, 1, vectors_out * kVector}, packed, out, pairs, vectors,
            Target<float>{to + first, in, columns, row > 0});
    });
  }
}

}  // namespace ablate::kernels

#pragma GCC pop_options
#else
namespace ablate::kernels {

void times_transposed(const BFloat16*, const BFloat16*, BFloat16*, std::int64_t, std::int64_t,
                      std::int64_t) {
  throw std::logic_error("kernels: no bfloat16 products are compiled for this processor");
}
void times_transposed_gelu(const BFloat16*, const BFloat16*, BFloat16*, BFloat16*, std::int64_t,
                           std::int64_t, std::int64_t) {
  throw std::logic_error("kernels: no bfloat16 products are compiled for this processor");
}
void times(const BFloat16*, const BFloat16*, BFloat16*, std::int64_t, std::int64_t, std::int64_t) {
  throw std::logic_error("kernels: no bfloat16 products are compiled for this processor");
}
void transposed_times(const BFloat16*, const BFloat16*, float*, std::int64_t, std::int64_t,
                      std::int64_t) {
  throw std::logic_error("kernels: no bfloat16 products are compiled for this processor");
}

}  // namespace ablate::kernels
#endif
