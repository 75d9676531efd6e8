#include "core/run/record.h"

#include "core/run/crc32c.h"

namespace earwright::run {
namespace {

constexpr size_t kHeaderBytes = 12;
constexpr size_t kFooterBytes = 4;

template <class Unsigned>
void appendLittleEndian(std::string& out, Unsigned value)
{
    for (size_t i = 0; i < sizeof(value); ++i)
        out.push_back(static_cast<char>(value >> (8 * i)));
}

template <class Unsigned>
Unsigned readLittleEndian(std::string_view bytes)
{
    Unsigned value = 0;
    for (size_t i = 0; i < sizeof(value); ++i)
        value |= static_cast<Unsigned>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
}

} // namespace

void appendRecord(std::string& out, std::string_view data)
{
    const size_t begin = out.size();
    appendLittleEndian<uint64_t>(out, data.size());
    appendLittleEndian<uint32_t>(out, maskedCrc32c(std::string_view(out).substr(begin)));
    out.append(data);
    appendLittleEndian<uint32_t>(out, maskedCrc32c(data));
}

Record readRecord(std::string_view bytes)
{
    if (bytes.size() < kHeaderBytes)
        return { .kind = Record::Kind::Torn };
    const auto length = readLittleEndian<uint64_t>(bytes);
    if (length > kMaxRecordBytes
        || readLittleEndian<uint32_t>(bytes.substr(8)) != maskedCrc32c(bytes.substr(0, 8)))
        return { .kind = Record::Kind::BadLength };
    const size_t frameBytes = kHeaderBytes + length + kFooterBytes;
    if (bytes.size() < frameBytes)
        return { .kind = Record::Kind::Torn, .frameBytes = frameBytes };
    const std::string_view data = bytes.substr(kHeaderBytes, length);
    if (readLittleEndian<uint32_t>(bytes.substr(kHeaderBytes + length)) != maskedCrc32c(data))
        return { .kind = Record::Kind::BadData, .frameBytes = frameBytes };
    return { .kind = Record::Kind::Complete, .data = data, .frameBytes = frameBytes };
}

size_t findRecord(std::string_view bytes)
{
    for (size_t at = 0; at < bytes.size(); ++at) {
        if (readRecord(bytes.substr(at)).kind == Record::Kind::Complete)
            return at;
    }
    return std::string_view::npos;
}

} // namespace earwright::run
