#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace earwright::fuzz {

/// A folder of this process, for readers of files.
inline const std::filesystem::path& folder()
{
    static const std::filesystem::path path = [] {
        const auto made = std::filesystem::temp_directory_path()
            / ("earwright-fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(made);
        return made;
    }();
    return path;
}

/// A file in it with these bytes.
inline std::filesystem::path fileWith(std::string_view bytes, const std::string& name = "input")
{
    std::filesystem::path file = folder() / name;
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file;
}

} // namespace earwright::fuzz
