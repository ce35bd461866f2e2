#include "reports/export/event_file.h"

#include <bit>
#include <boost/crc.hpp>

namespace ablate::reports {
namespace {

// Field numbers of the messages, and the wire types of their fields.
enum EventField : std::uint32_t {
  wall_time_field = 1,
  step_field = 2,
  version_field = 3,
  summary_field = 5
};
enum SummaryField : std::uint32_t { value_field = 1 };
enum ValueField : std::uint32_t { tag_field = 1, simple_value_field = 2 };
enum WireType : std::uint32_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };

/// The bytes of a number, the lowest first.
template <class Unsigned>
std::string little_endian(Unsigned value) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t i = 0; i < sizeof value; ++i)
    bytes[i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}

std::string varint_of(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}

std::string key_of(std::uint32_t field, WireType type) { return varint_of(field << 3 | type); }

std::string bytes_field(std::uint32_t field, std::string_view bytes) {
  return key_of(field, length_delimited) + varint_of(bytes.size()) + std::string(bytes);
}

std::string wall_time_bytes(double wall_time) {
  return key_of(wall_time_field, fixed64) + little_endian(std::bit_cast<std::uint64_t>(wall_time));
}

}  // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> sum;
  sum.process_bytes(bytes.data(), bytes.size());
  const std::uint32_t crc = sum.checksum();
  return std::rotr(crc, 15) + 0xA282EAD8;
}

std::string tf_record(std::string_view data) {
  const std::string length = little_endian(std::uint64_t{data.size()});
  return length + little_endian(masked_crc32c(length)) + std::string(data) +
         little_endian(masked_crc32c(data));
}

std::string version_event(double wall_time) {
  return wall_time_bytes(wall_time) + bytes_field(version_field, "brain.Event:2");
}

std::string scalars_event(double wall_time, std::int64_t step, const std::vector<Scalar>& scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars)
    summary += bytes_field(
        value_field, bytes_field(tag_field, scalar.tag) + key_of(simple_value_field, fixed32) +
                         little_endian(std::bit_cast<std::uint32_t>(scalar.value)));
  return wall_time_bytes(wall_time) + key_of(step_field, varint) +
         varint_of(static_cast<std::uint64_t>(step)) + bytes_field(summary_field, summary);
}

}  // namespace ablate::reports
