// The loops of the way back of attention on pairs of bfloat16. Chances and gradients of scores are
// kept for a chunk of queries, so that what keys and values get of it is one product.

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

constexpr std::int64_t kChunk = 128;  // queries whose chances are kept for the keys' gradients

// What the way back holds of one head beside its own rows.
struct HeadGradients {
  HeadGradients(HeadMemory& memory)
      : values(memory.rows()),
        out(memory.rows()),
        keys_down(memory.pairs()),
        queries_down(memory.pairs()),
        out_down(memory.pairs()),
        values_across(memory.pairs()),
        of_keys(memory.floats()),
        of_values(memory.floats()),
        of_queries(memory.floats()),
        overlaps(memory.wide<float>(1)),
        scores(memory.wide<float>(kQueries)),
        gradients(memory.wide<float>(kQueries)),
        rows(memory.wide<BFloat16>(kQueries)),
        chances(memory.wide<Pair>(kChunk / 2)),
        score_pairs(memory.wide<Pair>(kChunk / 2)) {}
  static constexpr std::int64_t kWide = 1 + 3 * kQueries + kChunk;

  // Unpacks values and the gradient of the head's output, and each row's product with that output.
  void unpack(const HeadSizes& sizes, const HeadPairs& head, const BFloat16* head_values,
              const BFloat16* output, const BFloat16* gradient, std::int64_t row) {
    const std::int64_t width = sizes.padded_width;
    for (std::int64_t t = 0; t < sizes.time; ++t) {
      const std::int64_t at = row * sizes.time + t;
      V total{};
      for (std::int64_t d = 0; d < sizes.width; d += kWidth) {
        const std::int64_t left = sizes.width - d;
        const V g = load_part(gradient + at * sizes.model_width + d, left);
        total += g * load_part(output + at * sizes.model_width + d, left);
        store(out + t * width + d, g);
        store(values + t * width + d,
              load_part(head_values + at * 3 * sizes.model_width + d, left));
      }
      overlaps[t] = _mm512_reduce_add_ps((__m512)total);
    }
    pack_columns(values, width, width / 2, sizes.padded_time, sizes.padded_time / kVector,
                 values_across);
    pack_rows(head.keys, width, sizes.padded_time, width, width / kVector, keys_down);
    pack_rows(head.queries, width, sizes.padded_time, width, width / kVector, queries_down);
    pack_rows(out, width, sizes.padded_time, width, width / kVector, out_down);
  }

  BFloat16 *values, *out;                     // [time, width]
  Pair *keys_down, *queries_down, *out_down;  // [time / 2, width]
  Pair* values_across;                        // [width / 2, time]
  float *of_keys, *of_values, *of_queries;    // [time, width]
  float* overlaps;                            // [time]
  float *scores, *gradients;                  // of a block: [queries, time]
  BFloat16* rows;                             // the scores' gradients, [queries, time]
  Pair *chances, *score_pairs;                // of a chunk: [queries / 2, time]
};

// Chances, and gradients of scores, of one query and sixteen keys.
struct Sixteen {
  __m512 chances, scores;
};

ABLATE_INLINE Sixteen sixteen_of(const HeadSizes& sizes, const Block& block, std::int64_t query,
                                 std::int64_t key, const AttentionSums& sums, float overlap,
                                 const HeadGradients& held) {
  const std::int64_t at = query * sizes.padded_time + key;
  const __m512 power = (__m512)power_of_two(
      (V)_mm512_fmadd_ps(_mm512_loadu_ps(held.scores + at), _mm512_set1_ps(kLog2E),
                         _mm512_set1_ps(-sums.highest[query] * kLog2E)));
  const __m512 chance =
      _mm512_maskz_mul_ps(seen(block, query, key), power, _mm512_set1_ps(sums.inverse[query]));
  const __m512 gradient =
      _mm512_sub_ps(_mm512_loadu_ps(held.gradients + at), _mm512_set1_ps(overlap));
  return {chance, _mm512_mul_ps(chance, gradient)};
}

ABLATE_INLINE __m512i paired(__m512 even, __m512 odd) {
  const __m512i low = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(even));
  const __m512i high = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(odd));
  return _mm512_or_si512(low, _mm512_slli_epi32(high, 16));
}

// Chances of a block of queries and gradients of its scores, in rows and in pairs of queries; zeros
// where the block sees nothing. `slot`: the block's first pair in its chunk.
ABLATE_INLINE void score_gradients(const HeadSizes& sizes, const Block& block, std::int64_t query,
                                   std::int64_t slot, const AttentionSums& sums,
                                   HeadGradients& held) {
  const std::int64_t time = sizes.padded_time;
  for (std::int64_t i = 0; i < kQueries; i += 2) {
    Pair* const chances = held.chances + (slot + i / 2) * time;
    Pair* const scores = held.score_pairs + (slot + i / 2) * time;
    for (Pair* row : {chances, scores}) {
      std::fill(row, row + block.first, 0);
      std::fill(row + block.last, row + time, 0);
    }
    const float* overlaps = held.overlaps + query + i;
    for (std::int64_t key = block.first; key < block.last; key += kWidth) {
      const Sixteen even = sixteen_of(sizes, block, i, key, sums, overlaps[0], held);
      const Sixteen odd = sixteen_of(sizes, block, i + 1, key, sums, overlaps[1], held);
      _mm512_store_si512(chances + key, paired(even.chances, odd.chances));
      _mm512_store_si512(scores + key, paired(even.scores, odd.scores));
      store(held.rows + i * time + key, (V)even.scores);
      store(held.rows + (i + 1) * time + key, (V)odd.scores);
    }
  }
}

// The blocks of a chunk of queries, and which of them see some of eight keys.
struct Chunk {
  std::int64_t first[kChunk / kQueries], last[kChunk / kQueries], count = 0;

  void add(const Block& block) { first[count] = block.first, last[count++] = block.last; }

  // The pairs of queries [begin, end) that see any of the keys from `key` on.
  std::pair<std::int64_t, std::int64_t> pairs_for(std::int64_t key) const {
    std::int64_t begin = count, end = 0;
    for (std::int64_t i = 0; i < count; ++i)
      if (first[i] < key + kQueries && key < last[i]) begin = std::min(begin, i), end = i + 1;
    return {std::min(begin, end) * kQueries / 2, end * kQueries / 2};
  }
};

// What a chunk of queries from `query` on gives to the gradients of keys and values.
ABLATE_INLINE void add_to_keys(const HeadSizes& sizes, const Chunk& chunk, std::int64_t query,
                               HeadGradients& held) {
  const std::int64_t time = sizes.padded_time, width = sizes.padded_width;
  for (std::int64_t key = 0; key < sizes.time; key += kQueries) {
    const auto [begin, end] = chunk.pairs_for(key);
    const std::int64_t down = (query / 2 + begin) * width;
    const auto give = [&](const Pair* left, const Pair* right, float* to) {
      strip({left + begin * time + key, 1, time}, {right + down, width}, end - begin,
            width / kVector, {to + key * width, width, width, query > 0});
    };
    give(held.chances, held.out_down, held.of_values);
    give(held.score_pairs, held.queries_down, held.of_keys);
  }
}

// One head of one row; `of_qkv` starts at the head.
void head_backward(const HeadSizes& sizes, const AttentionSight& sight, std::int64_t row,
                   const AttentionSums& sums, const HeadPairs& head, HeadGradients& held,
                   BFloat16* of_qkv) {
  const std::int64_t width = sizes.padded_width;
  const auto target = [&](std::int64_t t, std::int64_t part) {
    return of_qkv + ((row * sizes.time + t) * 3 + part) * sizes.model_width;
  };
  for (std::int64_t start = 0; start < sizes.time; start += kChunk) {
    Chunk chunk;
    const std::int64_t stop = std::min(start + kChunk, sizes.time);
    for (std::int64_t query = start; query < stop; query += kQueries) {
      const Block block(sizes, sight, row, query);
      float highest[kQueries] = {}, inverse[kQueries] = {};
      const std::int64_t count = std::min(kQueries, stop - query);
      std::copy_n(sums.highest + query, count, highest);
      std::copy_n(sums.inverse + query, count, inverse);
      against_keys(sizes, block, head.queries + query * width, head.keys_across, held.scores);
      against_keys(sizes, block, held.out + query * width, held.values_across, held.gradients);
      score_gradients(sizes, block, query, (query - start) / 2, {highest, inverse}, held);
      over_keys(sizes, block, held.rows, held.keys_down, held.of_queries);
      for (std::int64_t i = 0; i < count; ++i)
        turn_row(held.of_queries + i * width, target(query + i, 0), sizes.width,
                 turn_of(sizes, sight, row, query + i), -1, sizes.root);
      chunk.add(block);
    }
    add_to_keys(sizes, chunk, start, held);
  }
  for (std::int64_t t = 0; t < sizes.time; ++t) {
    turn_row(held.of_keys + t * width, target(t, 1), sizes.width, turn_of(sizes, sight, row, t), -1,
             1);
    turn_row(held.of_values + t * width, target(t, 2), sizes.width, nullptr, 1, 1);
  }
}

}  // namespace

void attention_backward_by_pairs(AttentionShape shape, AttentionSight sight, const BFloat16* qkv,
                                 const BFloat16* out, AttentionSums sums,
                                 const BFloat16* out_gradient, BFloat16* qkv_gradient) {
  const HeadSizes sizes(shape);
  HeadMemory memory(sizes, 8, HeadGradients::kWide, 1);
  HeadPairs head(memory);
  HeadGradients held(memory);
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t h = 0; h < shape.heads; ++h) {
      const std::int64_t offset = h * sizes.width, at = (row * shape.heads + h) * sizes.time;
      head.unpack(sizes, sight, qkv + offset, row);
      held.unpack(sizes, head, qkv + offset + 2 * sizes.model_width, out + offset,
                  out_gradient + offset, row);
      head_backward(sizes, sight, row, {sums.highest + at, sums.inverse + at}, head, held,
                    qkv_gradient + offset);
    }
}

}  // namespace ablate::kernels

#pragma GCC pop_options
#else
namespace ablate::kernels {

void attention_backward_by_pairs(AttentionShape, AttentionSight, const BFloat16*, const BFloat16*,
                                 AttentionSums, const BFloat16*, BFloat16*) {
  throw std::logic_error("kernels: no bfloat16 products are compiled for this processor");
}

}  // namespace ablate::kernels
#endif
