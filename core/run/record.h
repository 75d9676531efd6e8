#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace earwright::run {

/// Appends one TFRecord frame: length (uint64), masked CRC of the length, data, masked CRC of the
/// data; little endian.
void appendRecord(std::string& out, std::string_view data);

struct Record {
    enum class Kind {
        Complete,
        Torn, ///< the bytes end inside the frame: more may come
        BadLength, ///< the checksum of the length does not match, or the length is above
                   ///< kMaxRecordBytes
        BadData, ///< the checksum of the data does not match
    };
    Kind kind = Kind::Torn;
    std::string_view data {}; ///< of a complete one
    size_t frameBytes = 0; ///< of the whole frame; 0 = not known yet
};

/// No event is near this: a greater length is damage, not a reason to ask for memory.
constexpr uint64_t kMaxRecordBytes = 256ull << 20;

/// The frame at the start of `bytes`.
Record readRecord(std::string_view bytes);
/// Where the first complete frame of `bytes` begins; npos where they hold none.
size_t findRecord(std::string_view bytes);

} // namespace earwright::run
