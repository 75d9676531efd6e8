#include "core/base/no_weights.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <cstring>
#include <fstream>

namespace earwright {

namespace {

/// Nothing of a folder, nor of a pipe, which would be waited for.
std::string firstBytes(const std::filesystem::path& file)
{
    if (!isFile(file))
        return {};
    std::string bytes(64, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(stream.gcount()));
    return bytes;
}

bool isEmpty(const std::filesystem::path& file)
{
    std::error_code problem;
    return isFile(file) && std::filesystem::file_size(file, problem) == 0 && !problem;
}

} // namespace

std::string whyNoWeights(const std::filesystem::path& file)
{
    if (isEmpty(file))
        return "it is empty: copy or download it again";
    const std::string bytes = firstBytes(file);
    if (bytes.starts_with("version https://git-lfs"))
        return "it is a pointer of git-lfs in place of the weights: 'git lfs pull' in its folder "
               "fetches them";
    const std::string text = toLower(std::string(trim(bytes)));
    if (text.starts_with("<!doctype") || text.starts_with("<html") || text.starts_with("<?xml"))
        return "it is a web page, as a download leaves it that was refused: download it again";
    return "";
}

bool looksLikeSafetensors(const std::filesystem::path& file)
{
    std::error_code problem;
    const uint64_t whole = std::filesystem::file_size(file, problem);
    const std::string bytes = firstBytes(file);
    uint64_t header = 0;
    if (problem || bytes.size() <= sizeof header)
        return false;
    std::memcpy(&header, bytes.data(), sizeof header);
    return header <= whole - sizeof header && bytes[sizeof header] == '{';
}

} // namespace earwright
