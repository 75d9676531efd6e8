#pragma once

#include <cstdint>
#include <string_view>

namespace earwright::run {

/// CRC-32C (Castagnoli), RFC 3720 appendix B.4.
uint32_t crc32c(std::string_view bytes);

/// What TFRecord files store: rotated and offset, so that a checksum of bytes that hold checksums
/// stays useful. Source: tensorflow/core/lib/hash/crc32c.h.
uint32_t maskedCrc32c(std::string_view bytes);

} // namespace earwright::run
