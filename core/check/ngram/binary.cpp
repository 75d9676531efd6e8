#include "core/check/ngram/binary.h"

#include "core/base/text.h"
#include "core/check/ngram/mapped_file.h"
#include "core/check/ngram/ngram_file.h"
#include "core/check/ngram/word_hash.h"

#include <algorithm>
#include <limits>
#include <zlib.h>

namespace earwright::check {

namespace {

// Where the head has what. Bytes 89 … 91 and 101 … 103 and the last four of the head are nobody's:
// KenLM writes zeros there and reads none of them.
constexpr size_t kOrderAt = 88;
constexpr size_t kMultiplierAt = 92;
constexpr size_t kKindAt = 96;
constexpr size_t kHasWordsAt = 100;
constexpr size_t kVersionAt = 104;
constexpr size_t kCountsAt = 108;
constexpr size_t kChecksumSize = 4;
constexpr std::string_view kSealBegin = "EWc";
constexpr size_t kSealBeginAt = 89;
constexpr std::string_view kSealEnd = "rc1";
constexpr size_t kSealEndAt = 101;

constexpr int kKinds = 6;

size_t headSize(int order)
{
    return kCountsAt + sizeof(uint64_t) * static_cast<size_t>(order) + kChecksumSize;
}

/// The version, and numbers that another kind of machine writes otherwise.
std::string sanity()
{
    std::string bytes = std::string(kBinaryNgram) + " format version 5\n";
    bytes.resize(kOrderAt);
    const auto put = [&](size_t at, auto value) { std::memcpy(&bytes[at], &value, sizeof value); };
    constexpr size_t kNumbersAt = 56;
    put(kNumbersAt + 4, 1.0F);
    put(kNumbersAt + 8, -0.5F);
    put(kNumbersAt + 12, uint32_t { 1 });
    put(kNumbersAt + 16, std::numeric_limits<uint32_t>::max());
    put(kNumbersAt + 24, uint64_t { 1 });
    return bytes;
}

std::string whyNoSanity(std::string_view file)
{
    if (file.starts_with(sanity()))
        return {};
    if (file.starts_with(std::string(kBinaryNgram) + " incomplete"))
        return "its making did not end: make it again from the ARPA text";
    return "it is of another version of KenLM, or damaged: make it again from the ARPA text";
}

std::string whyNoHead(std::string_view file, NgramHead& head)
{
    if (file.size() < headSize(kMostNgramOrder))
        return kShortNgram;
    head.order = static_cast<unsigned char>(file[kOrderAt]);
    head.multiplier = readAt<float>(file, kMultiplierAt);
    head.kind = readAt<int32_t>(file, kKindAt);
    constexpr float kMostMultiplier = 1000;
    if (head.order < 2 || head.order > kMostNgramOrder)
        return "it is of order " + std::to_string(head.order) + ", and KenLM here takes 2 to "
            + std::to_string(kMostNgramOrder);
    if (head.kind < 0 || head.kind >= kKinds
        || readAt<uint32_t>(file, kVersionAt) != (head.isTrie() ? 1 : 0))
        return "it is of an unknown kind";
    if (!(head.multiplier >= 1) || head.multiplier > kMostMultiplier) // NaN too
        return "its hash tables have no possible size";
    if (file[kHasWordsAt] != 1)
        return "it is without the texts of its words";
    head.size = headSize(head.order);
    constexpr uint64_t kMostInAByte = 8; // a word that takes no bit has a weight of one at least
    for (size_t at = kCountsAt; at < head.size - kChecksumSize; at += sizeof(uint64_t)) {
        head.counts.push_back(readAt<uint64_t>(file, at));
        if (head.counts.back() / kMostInAByte > file.size())
            return "it has fewer n-grams than its head says";
    }
    if (head.counts[0] == 0 || head.counts[0] >= std::numeric_limits<uint32_t>::max())
        return "it has no possible number of words";
    return {};
}

uint32_t checksumOf(std::string_view file, size_t headSize)
{
    const auto add = [](uLong sum, std::string_view bytes) {
        return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    };
    const uLong sum = add(crc32_z(0, nullptr, 0), file.substr(0, headSize - kChecksumSize));
    return static_cast<uint32_t>(add(sum, file.substr(headSize)));
}

/// Of a file that has none, of `earwright lm` before or of KenLM's programs, "".
std::string whyNoSeal(std::string_view file, const NgramHead& head)
{
    const bool begins = file.substr(kSealBeginAt, kSealBegin.size()) == kSealBegin;
    const bool ends = file.substr(kSealEndAt, kSealEnd.size()) == kSealEnd;
    if (!begins && !ends)
        return {};
    const bool isRight = begins && ends
        && readAt<uint32_t>(file, head.size - kChecksumSize) == checksumOf(file, head.size);
    return isRight ? "" : "its bytes do not have the checksum that it was written with";
}

Status writeAt(const Descriptor& file, size_t at, std::string_view bytes)
{
    if (::pwrite(file.fd(), bytes.data(), bytes.size(), static_cast<off_t>(at))
        != static_cast<ssize_t>(bytes.size()))
        return Error { "cannot write the checksum: " + systemError() };
    return Done {};
}

} // namespace

bool isNgramWeight(float weight)
{
    return std::abs(static_cast<double>(weight)) <= kMostNgramWeight; // of NaN false
}

bool isNgramProbability(float weight)
{
    return weight <= 0 && isNgramWeight(weight);
}

std::string whyNoWords(std::string_view texts, const std::vector<uint64_t>& hashes)
{
    constexpr std::string_view kUnknown("<unk>\0", 6);
    if (!texts.starts_with(kUnknown) || texts.back() != '\0')
        return "the texts of its words are not where they should be";
    texts.remove_prefix(kUnknown.size());
    size_t number = 1;
    for (; !texts.empty(); ++number) {
        const size_t length = texts.find('\0');
        if (number >= hashes.size() || wordHash(texts.substr(0, length)) != hashes[number])
            return "the text of word " + std::to_string(number)
                + " is not the one that its table of words has";
        texts.remove_prefix(length + 1);
    }
    return number == hashes.size() ? "" : "it has fewer texts than words";
}

std::string whyNoBinaryNgram(std::string_view file)
{
    if (const std::string why = whyNoSanity(file); !why.empty())
        return why;
    NgramHead head;
    std::string why = whyNoHead(file, head);
    if (why.empty())
        why = whyNoSeal(file, head);
    const NgramParts parts(file, head.size);
    if (why.empty())
        why = head.isTrie() ? whyNoTrie(head, parts) : whyNoHashTables(head, parts);
    return why.empty() ? why : "it is damaged, or not of KenLM: " + why;
}

Status sealBinaryNgram(const std::filesystem::path& path)
{
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file)
        return Error { "cannot write '" + path.string() + "': " + systemError() };
    if (const Status begun = writeAt(file, kSealBeginAt, kSealBegin); !begun)
        return begun;
    if (const Status ended = writeAt(file, kSealEndAt, kSealEnd); !ended)
        return ended;
    const MappedFile mapped(path);
    NgramHead head;
    if (!mapped.bytes().starts_with(sanity()) || !whyNoHead(mapped.bytes(), head).empty())
        return Error { "'" + path.string() + "' is no binary n-gram of KenLM" };
    const uint32_t checksum = checksumOf(mapped.bytes(), head.size);
    std::string bytes(sizeof checksum, '\0');
    std::memcpy(bytes.data(), &checksum, sizeof checksum);
    return writeAt(file, head.size - kChecksumSize, bytes);
}

} // namespace earwright::check
