// The layout of a corpus file, all little-endian:
//
//   magic "ablate-1", SHA-256 of all that follows in 64 hexadecimal digits
//   uint64 bytes of the header, the header (JSON), zeros up to a multiple of 8
//   int32 tokens of training, of held-out; uint8 marks of training, of held-out
//   uint32 bytes of each piece; the pieces' bytes

#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "harness/contract/vocabulary.h"

namespace ablate::data {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kCorpusMagic = "ablate-1";
constexpr std::size_t kDigestSize = 64;
constexpr std::size_t kCorpusHeaderAt = kCorpusMagic.size() + kDigestSize + sizeof(std::uint64_t);
constexpr Token kMaxOrdinary = Token{1} << 24;

/// `bytes` rounded up to a multiple of 8.
constexpr std::size_t padded_to_8(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace ablate::data
