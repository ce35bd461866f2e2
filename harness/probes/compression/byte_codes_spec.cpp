#include "harness/probes/compression/byte_codes_spec.h"

#include <fmt/core.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace ablate::probes {

std::int64_t xz_size(std::string_view bytes) {
  constexpr std::uint32_t kPreset = 9;
  constexpr std::size_t kMinDictionary = 1u << 16;
  lzma_options_lzma options;
  if (lzma_lzma_preset(&options, kPreset))
    fail("liblzma {} has no preset {}", lzma_version_string(), kPreset);
  // The preset's dictionary takes 700 MB whatever is compressed; one that holds all does as well.
  const std::size_t all = std::bit_ceil(std::max(bytes.size(), kMinDictionary));
  if (all < options.dict_size) options.dict_size = static_cast<std::uint32_t>(all);
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::vector<std::uint8_t> compressed(lzma_stream_buffer_bound(bytes.size()));
  std::size_t size = 0;
  const lzma_ret result =
      lzma_raw_buffer_encode(filters, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                             bytes.size(), compressed.data(), &size, compressed.size());
  if (result != LZMA_OK)
    fail("liblzma {} could not compress {} bytes (status {}); is there too little memory?",
         lzma_version_string(), bytes.size(), static_cast<int>(result));
  return static_cast<std::int64_t>(size);
}

std::int64_t zstd_size(std::string_view bytes) {
  constexpr int kLevel = 19;
  std::vector<char> compressed(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size))
    fail("libzstd {} could not compress {} bytes: {}", ZSTD_versionString(), bytes.size(),
         ZSTD_getErrorName(size));
  return static_cast<std::int64_t>(size);
}

std::string_view byte_codes_version() {
  static const std::string version =
      fmt::format("liblzma {}, libzstd {}", lzma_version_string(), ZSTD_versionString());
  return version;
}

}  // namespace ablate::probes
