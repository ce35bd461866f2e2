// TensorBoard's records, against values from elsewhere. tests/experiments/export_test.cpp reads
// whole files back with a reader that shares no code with the writer.

#include "reports/export/event_file.h"

#include <gtest/gtest.h>

namespace ablate::reports {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 0xF];
  }
  return text;
}

/// Undoes the mask, as TensorFlow's crc32c::Unmask does.
std::uint32_t unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xA282EAD8u;
  return rotated >> 17 | rotated << 15;
}

TEST(EventFile, HasTheChecksumsOfRfc3720) {  // appendix B.4
  EXPECT_EQ(unmasked(masked_crc32c(std::string(32, '\0'))), 0x8A9136AAu);
  EXPECT_EQ(unmasked(masked_crc32c(std::string(32, '\xFF'))), 0x62A8AB43u);
  EXPECT_EQ(unmasked(masked_crc32c("123456789")), 0xE3069283u);  // the catalogue's check value
}

TEST(EventFile, FramesLengthAndData) {
  const std::string record = tf_record("abc");
  EXPECT_EQ(record.size(), 8u + 4 + 3 + 4);
  EXPECT_EQ(hex(record.substr(0, 8)), "0300000000000000");
  EXPECT_EQ(record.substr(12, 3), "abc");
}

TEST(EventFile, EncodesEventsAsProtobufDoes) {
  EXPECT_EQ(hex(version_event(1)), "09000000000000f03f1a0d" + hex("brain.Event:2"));
  // step 300 as a varint; a summary of one value with the tag "a" and the float 1.5
  EXPECT_EQ(hex(scalars_event(0, 300, {{"a", 1.5f}})),
            "09000000000000000010ac022a0a0a080a0161150000c03f");
}

}  // namespace
}  // namespace ablate::reports
