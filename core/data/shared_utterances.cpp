#include "core/data/shared_utterances.h"

#include "core/base/text.h"
#include "core/data/hash.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace earwright::data {
namespace {

namespace fs = std::filesystem;

using TextSet = std::unordered_set<std::string>;

/// Of a manifest, which may be packed.
struct Rows {
    size_t count = 0;
    std::function<Utterance(size_t)> at;
};

/// Of the other set: how many there are, and how many of them the training set has.
struct Shared {
    size_t count = 0;
    size_t of = 0;
};

TextSet textsOf(const Rows& rows, std::string Utterance::*member)
{
    TextSet texts;
    for (size_t i = 0; i < rows.count; ++i)
        if (std::string text = rows.at(i).*member; !text.empty())
            texts.insert(std::move(text));
    return texts;
}

/// A training set has a million of them: hashes in order, in the place of the texts.
class TextHashes final {
public:
    TextHashes(const Rows& rows, std::string Utterance::*member)
    {
        m_hashes.reserve(rows.count);
        for (size_t i = 0; i < rows.count; ++i)
            if (const std::string text = rows.at(i).*member; !text.empty())
                m_hashes.push_back(hashText(text));
        std::sort(m_hashes.begin(), m_hashes.end());
    }
    bool contains(const std::string& text) const
    {
        return std::binary_search(m_hashes.begin(), m_hashes.end(), hashText(text));
    }

private:
    std::vector<uint64_t> m_hashes;
};

Shared sharedTexts(const Rows& train, const Rows& other, std::string Utterance::*member)
{
    const TextSet wanted = textsOf(other, member);
    const TextHashes had(train, member);
    const auto count = std::count_if(
        wanted.begin(), wanted.end(), [&](const std::string& text) { return had.contains(text); });
    return { static_cast<size_t>(count), wanted.size() };
}

std::optional<uintmax_t> sizeOf(const std::string& file)
{
    std::error_code problem;
    const uintmax_t size = fs::file_size(file, problem);
    return problem || size == 0 ? std::nullopt : std::optional(size);
}

/// Of beginning, middle and end: recordings of one size differ there, and a corpus is not read
/// whole.
uint64_t checksumOf(const std::string& file, uintmax_t size)
{
    constexpr uintmax_t kBlock = uintmax_t { 1 } << 16;
    std::ifstream stream(file, std::ios::binary);
    uint64_t sum = 0;
    for (const uintmax_t at : { uintmax_t { 0 }, size / 2, size - std::min(size, kBlock) }) {
        std::string block(std::min(size - at, kBlock), '\0');
        stream.seekg(static_cast<std::streamoff>(at));
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        sum = mixBits(sum ^ hashText(block));
    }
    return sum;
}

/// Files of the other set by size and checksum.
class SoundFiles final {
public:
    explicit SoundFiles(const TextSet& files)
    {
        for (const std::string& file : files)
            if (const auto size = sizeOf(file))
                m_bySize[*size].push_back(file);
    }

    /// The files of the set that have the bytes of this one.
    std::vector<std::string> sameAs(const std::string& file)
    {
        const auto size = sizeOf(file);
        const auto alike = size ? m_bySize.find(*size) : m_bySize.end();
        if (alike == m_bySize.end())
            return {};
        const BySum& files = bySum(*size, alike->second);
        const auto [first, last] = files.equal_range(checksumOf(file, *size));
        std::vector<std::string> same;
        for (auto other = first; other != last; ++other)
            same.push_back(other->second);
        return same;
    }

private:
    using BySum = std::unordered_multimap<uint64_t, std::string>;

    /// Made when the first file of that size is looked up.
    const BySum& bySum(uintmax_t size, const std::vector<std::string>& files)
    {
        const auto [known, isNew] = m_bySum.try_emplace(size);
        if (isNew)
            for (const std::string& file : files)
                known->second.emplace(checksumOf(file, size), file);
        return known->second;
    }

    std::unordered_map<uintmax_t, std::vector<std::string>> m_bySize;
    std::unordered_map<uintmax_t, BySum> m_bySum; ///< of these the sizes that were looked up
};

/// The rows with another text for what they hear.
Rows heard(const Rows& rows, std::string (*nameOf)(const Utterance&))
{
    return { rows.count, [&rows, nameOf](size_t i) {
                Utterance utterance = rows.at(i);
                utterance.wav = nameOf(utterance);
                return utterance;
            } };
}

/// "" of a part: other sets may have other parts of the same file.
std::string wholeFile(const Utterance& utterance)
{
    return utterance.part.isWhole() ? utterance.wav : "";
}

/// Of a part its file and its place there.
std::string fileOrPart(const Utterance& utterance)
{
    const SoundPart& part = utterance.part;
    if (part.isWhole())
        return utterance.wav;
    std::string name = utterance.wav;
    for (const double place : { part.begin, part.end, part.seconds })
        name += '\n' + formatDouble(place);
    return name + (part.countsSamples ? "\nsamples " : "\n") + std::to_string(part.channel);
}

Shared sharedAudio(const Rows& train, const Rows& other)
{
    const TextSet wanted = textsOf(heard(other, fileOrPart), &Utterance::wav);
    const TextHashes had(heard(train, fileOrPart), &Utterance::wav);
    TextSet found;
    for (const std::string& name : wanted)
        if (had.contains(name))
            found.insert(name);
    TextSet left = textsOf(heard(other, wholeFile), &Utterance::wav);
    std::erase_if(left, [&](const std::string& file) { return found.contains(file); });
    SoundFiles files(left);
    std::unordered_set<uint64_t> seen; // hashes of paths: a file may be in many rows
    for (size_t i = 0; i < train.count && !left.empty(); ++i) {
        const std::string file = wholeFile(train.at(i));
        if (!seen.insert(hashText(file)).second)
            continue;
        for (const std::string& same : files.sameAs(file))
            found.insert(same);
    }
    return { found.size(), wanted.size() };
}

/// What is counted of them.
std::string soundsOf(const Rows& rows)
{
    for (size_t i = 0; i < rows.count; ++i)
        if (!rows.at(i).part.isWhole())
            return "audio files or parts";
    return "audio files";
}

bool areMostlyShared(const Shared& sentences, size_t rows)
{
    constexpr size_t kFewest = 10;
    return sentences.of >= kFewest && 2 * sentences.of >= rows
        && 2 * sentences.count >= sentences.of;
}

std::string text(const Shared& shared, const std::string& what)
{
    return std::to_string(shared.count) + " of " + std::to_string(shared.of) + " " + what;
}

std::vector<recipe::Diagnostic> sharedRows(const Rows& train, const std::string& trainManifest,
    const Rows& other, const std::string& otherManifest)
{
    const Shared ids = sharedTexts(train, other, &Utterance::id);
    const Shared audio = sharedAudio(train, other);
    const Shared sentences = sharedTexts(train, other, &Utterance::text);
    const bool isSame = ids.count > 0 || audio.count > 0;
    if (!isSame && !areMostlyShared(sentences, other.count))
        return {};
    std::vector<std::string> parts;
    if (isSame)
        parts = { text(ids, "IDs"), text(audio, soundsOf(other)) };
    parts.push_back(text(sentences, "sentences"));
    return { { recipe::Severity::Warning, "data-same-utterance",
        join(parts, ", ") + " are in '" + trainManifest
            + "' too: the error rate tells nothing of what was not trained on",
        { otherManifest, { 1, 1 }, { 1, 1 } }, {}, {} } };
}

template <class Utterances>
Rows rowsOf(const Utterances& utterances)
{
    if constexpr (std::is_same_v<Utterances, PackedUtterances>)
        return { utterances.size(), [&](size_t i) { return utterances.at(i); } };
    else
        return { utterances.size(), [&](size_t i) { return utterances[i]; } };
}

} // namespace

std::vector<recipe::Diagnostic> sharedUtterances(const std::vector<Utterance>& train,
    const std::string& trainManifest, const std::vector<Utterance>& other,
    const std::string& otherManifest)
{
    return sharedRows(rowsOf(train), trainManifest, rowsOf(other), otherManifest);
}

std::vector<recipe::Diagnostic> sharedUtterances(const PackedUtterances& train,
    const std::string& trainManifest, const PackedUtterances& other,
    const std::string& otherManifest)
{
    return sharedRows(rowsOf(train), trainManifest, rowsOf(other), otherManifest);
}

} // namespace earwright::data
