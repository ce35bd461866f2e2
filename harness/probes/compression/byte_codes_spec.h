// What general compressors make of bytes. Without LibTorch.

#pragma once

#include <cstdint>
#include <string_view>

namespace ablate::probes {

/// The bytes of `xz -9`'s stream: LZMA2 with its preset 9, without the container, which is some 57
/// bytes more whatever it holds.
std::int64_t xz_size(std::string_view bytes);

/// The bytes of `zstd -19`'s frame, without the checksum of 4 bytes that the program adds.
std::int64_t zstd_size(std::string_view bytes);

/// The versions of the libraries, on which sizes may depend.
std::string_view byte_codes_version();

}  // namespace ablate::probes
