#include "core/data/sound_list.h"

#include "core/data/sound_paths.h"

namespace earwright::data {

Result<SoundList> SoundList::read(const std::filesystem::path& csv,
    const std::map<std::string, std::string>& replacements, size_t maxBytes)
{
    Result<std::vector<std::string>> paths = readSoundPaths(csv, replacements);
    if (!paths)
        return paths.error();
    SoundList list(maxBytes);
    list.m_paths = std::move(*paths);
    return list;
}

} // namespace earwright::data
