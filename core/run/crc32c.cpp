#include "core/run/crc32c.h"

#include <array>
#include <cstddef>

namespace kymo::run {
namespace {

constexpr uint32_t kReversedPolynomial = 0x82f63b78;

constexpr std::array<uint32_t, 256> makeTable()
{
    std::array<uint32_t, 256> table {};
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) ? kReversedPolynomial : 0);
        table[byte] = crc;
    }
    return table;
}

constexpr std::array<uint32_t, 256> kTable = makeTable();

} // namespace

uint32_t crc32c(std::string_view bytes)
{
    uint32_t crc = 0xffffffff;
    for (const char c : bytes)
        crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

uint32_t maskedCrc32c(std::string_view bytes)
{
    const uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

} // namespace kymo::run
