// The loops of attention on pairs of bfloat16: one head of one row at a time, its queries in blocks
// of eight.

#include "models/kernels/attention_bfloat16.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "models/kernels/scratch.h"

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

#include "models/kernels/attention_pairs.inc"

// One query's chances as e^(score - highest), 0 where it sees nothing.
ABLATE_INLINE void soften(const Block& block, std::int64_t query, const float* scores,
                          BFloat16* chances, float& highest, float& inverse) {
  const __m512 unseen = _mm512_set1_ps(-1e30f);
  __m512 most = unseen;
  for (std::int64_t key = block.first; key < block.last; key += kWidth)
    most = _mm512_mask_max_ps(most, seen(block, query, key), most, _mm512_loadu_ps(scores + key));
  highest = _mm512_reduce_max_ps(most);
  const __m512 lowered = _mm512_set1_ps(-highest * kLog2E), log2e = _mm512_set1_ps(kLog2E);
  __m512 total = _mm512_setzero_ps();
  for (std::int64_t key = block.first; key < block.last; key += kWidth) {
    const __m512 power =
        (__m512)power_of_two((V)_mm512_fmadd_ps(_mm512_loadu_ps(scores + key), log2e, lowered));
    const __m512 e = _mm512_maskz_mov_ps(seen(block, query, key), power);
    total = _mm512_add_ps(total, e);
    store(chances + key, (V)e);
  }
  const float all = _mm512_reduce_add_ps(total);
  inverse = all == 0 ? 0 : 1 / all;
}

}  // namespace

void attention_by_pairs(AttentionShape shape, AttentionSight sight, const BFloat16* qkv,
                        BFloat16* out, AttentionSums sums) {
  const HeadSizes sizes(shape);
  HeadMemory memory(sizes, 3, kQueries * 2, 1);
  HeadPairs head(memory);
  Pair* const values = memory.pairs();
  float* const scores = memory.wide<float>(kQueries);
  BFloat16* const chances = memory.wide<BFloat16>(kQueries);
  float* const mixed = memory.floats();
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t h = 0; h < shape.heads; ++h) {
      const BFloat16* const own = qkv + h * sizes.width;
      head.unpack(sizes, sight, own, row);
      pack_rows(own + row * sizes.time * 3 * sizes.model_width + 2 * sizes.model_width,
                3 * sizes.model_width, sizes.time, sizes.width, sizes.padded_width / kVector,
                values);
      for (std::int64_t query = 0; query < sizes.time; query += kQueries) {
        const Block block(sizes, sight, row, query);
        const std::int64_t queries = std::min(kQueries, sizes.time - query);
        against_keys(sizes, block, head.queries + query * sizes.padded_width, head.keys_across,
                     scores);
        float inverse[kQueries] = {};
        for (std::int64_t i = 0; i < queries; ++i) {
          const std::int64_t at = (row * shape.heads + h) * sizes.time + query + i;
          soften(block, i, scores + i * sizes.padded_time, chances + i * sizes.padded_time,
                 sums.highest[at], inverse[i]);
          sums.inverse[at] = inverse[i];
        }
        over_keys(sizes, block, chances, values, mixed);
        for (std::int64_t i = 0; i < queries; ++i)
          turn_row(mixed + i * sizes.padded_width,
                   out + (row * sizes.time + query + i) * sizes.model_width + h * sizes.width,
                   sizes.width, nullptr, 1, inverse[i]);
      }
    }
}

}  // namespace ablate::kernels

#pragma GCC pop_options
#else
namespace ablate::kernels {

void attention_by_pairs(AttentionShape, AttentionSight, const BFloat16*, BFloat16*, AttentionSums) {
  throw std::logic_error("kernels: no bfloat16 products are compiled for this processor");
}

}  // namespace ablate::kernels
#endif
