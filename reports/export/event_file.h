// TensorBoard's event files: a sequence of TFRecords, each with one Event protocol buffer.
//
// A TFRecord is the length of its data (8 bytes), the masked CRC-32C of these 8 bytes, the data, and
// the masked CRC-32C of the data; all little endian. The few fields of Event that are written are
// encoded here, because linking protobuf for them would bring a second version of it beside those of
// LibTorch and SentencePiece.
//
// Sources: tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto,
// tensorflow/core/framework/summary.proto, protobuf.dev/programming-guides/encoding.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ablate::reports {

/// The masked CRC-32C of TFRecords: the checksum rotated right by 15 bits, plus a constant, so that
/// a checksum of data that holds checksums is none of them.
std::uint32_t masked_crc32c(std::string_view bytes);

/// `data` as a TFRecord.
std::string tf_record(std::string_view data);

/// A number under a tag, as a TensorBoard chart shows it.
struct Scalar {
  std::string tag;
  float value = 0;
};

/// The first event of a file, which names the format.
std::string version_event(double wall_time);

/// The event with the values of one step. `wall_time`: seconds since 1970.
std::string scalars_event(double wall_time, std::int64_t step, const std::vector<Scalar>& scalars);

}  // namespace ablate::reports
