#include "core/data/riff.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string_view>

namespace earwright::data {
namespace {

/// Writers into a pipe put 2^32 - 1, 2^31 - 1 or a little less where the length belongs.
constexpr int64_t kOpenLength = 0x7FFF0000;

struct Chunk {
    std::array<char, 8> bytes {};
    std::string_view name() const { return { bytes.data(), 4 }; }
    int64_t size() const
    {
        int64_t value = 0;
        for (size_t i = 8; i > 4; --i)
            value = value * 256 + static_cast<unsigned char>(bytes[i - 1]);
        return value;
    }
};

std::optional<Chunk> readChunk(std::ifstream& file)
{
    Chunk chunk;
    if (!file.read(chunk.bytes.data(), std::ssize(chunk.bytes)))
        return std::nullopt;
    return chunk;
}

bool isWave(std::ifstream& file)
{
    std::array<char, 4> form {};
    const auto riff = readChunk(file);
    return riff && riff->name() == "RIFF" && file.read(form.data(), std::ssize(form))
        && std::string_view(form.data(), form.size()) == "WAVE";
}

} // namespace

int64_t missingWavBytes(const std::filesystem::path& path)
{
    std::error_code error;
    const auto fileSize = static_cast<int64_t>(std::filesystem::file_size(path, error));
    std::ifstream file(path, std::ios::binary);
    if (error || !file || !isWave(file))
        return 0;
    while (const auto chunk = readChunk(file)) {
        const auto begin = static_cast<int64_t>(file.tellg());
        if (chunk->name() == "data")
            return chunk->size() >= kOpenLength
                ? 0
                : std::max<int64_t>(0, begin + chunk->size() - fileSize);
        file.seekg(begin + chunk->size() + chunk->size() % 2); // chunks begin at even offsets
    }
    return 0;
}

} // namespace earwright::data
