#include "core/data/mp3.h"

#include "core/base/file.h"

#include <string_view>

namespace earwright::data {
namespace {

/// Kilobits a second of layer III by index, of MPEG 1 and of MPEG 2 and 2.5.
constexpr int kBitRates1[]
    = { 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0 };
constexpr int kBitRates2[] = { 0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0 };
constexpr int kRatesHz[] = { 44100, 48000, 32000, 0 }; ///< of MPEG 1
constexpr size_t kHeader = 4;
constexpr size_t kTagHeader = 10;

struct Frame {
    size_t bytes = 0;
    int samples = 0;
};

unsigned byteAt(std::string_view text, size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

std::optional<Frame> frameAt(std::string_view text, size_t at)
{
    if (at + kHeader > text.size() || byteAt(text, at) != 0xFF)
        return std::nullopt;
    const unsigned second = byteAt(text, at + 1);
    const unsigned third = byteAt(text, at + 2);
    const unsigned version = second >> 3 & 3; // 3, 2, 0: MPEG 1, 2, 2.5
    const bool isLayer3 = (second & 0xE6) == 0xE2;
    const int kilobits = (version == 3 ? kBitRates1 : kBitRates2)[third >> 4];
    const int rateHz = kRatesHz[third >> 2 & 3] / (version == 3 ? 1 : version == 2 ? 2 : 4);
    if (!isLayer3 || version == 1 || kilobits == 0 || rateHz == 0)
        return std::nullopt;
    const int samples = version == 3 ? 1152 : 576;
    const int bytes = samples / 8 * kilobits * 1000 / rateHz + static_cast<int>(third >> 1 & 1);
    return Frame { static_cast<size_t>(bytes), samples };
}

/// Bytes of the ID3 tag that the file begins with.
size_t tagBytes(std::string_view text)
{
    if (!text.starts_with("ID3") || text.size() < kTagHeader)
        return 0;
    size_t bytes = 0;
    for (size_t i = 6; i < kTagHeader; ++i)
        bytes = bytes << 7 | (byteAt(text, i) & 0x7F);
    const bool hasFooter = (byteAt(text, 5) & 0x10) != 0;
    return bytes + (hasFooter ? 2 : 1) * kTagHeader;
}

bool tellsLength(std::string_view frame)
{
    const auto has = [&](std::string_view name) { return frame.find(name) != frame.npos; };
    return has("Xing") || has("Info") || has("VBRI");
}

} // namespace

std::optional<int64_t> countedMp3Samples(const std::filesystem::path& path)
{
    const Result<std::string> bytes = readFile(path);
    const std::string_view text = bytes ? std::string_view(*bytes) : "";
    size_t at = tagBytes(text);
    const std::optional<Frame> first = frameAt(text, at);
    if (!first || tellsLength(text.substr(at, first->bytes)))
        return std::nullopt;
    int64_t samples = 0;
    for (auto frame = first; frame && at + frame->bytes <= text.size(); frame = frameAt(text, at)) {
        samples += frame->samples;
        at += frame->bytes;
    }
    const bool isAll = at + kHeader > text.size() || frameAt(text, at)
        || text.substr(at).starts_with("TAG"); // ID3v1
    return isAll ? std::optional(samples) : std::nullopt;
}

} // namespace earwright::data
