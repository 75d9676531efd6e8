#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace earwright::run {

/// The files of a zip archive, read by minizip. A file is found by its name, so nothing in the
/// archive can name a place outside it. One thread at a time.
class ZipReader final {
public:
    /// The error names the file and tells one that cannot be read from one that is no whole zip
    /// archive.
    static Result<ZipReader> open(const std::filesystem::path& file);

    std::vector<std::string> names() const; ///< with '/' between folders, sorted
    /// Its bytes, whose CRC is right. An Error where it is missing, damaged, or larger than
    /// mostBytes(): what is compressed so far would fill memory and disk.
    Result<std::string> read(const std::string& name) const;

    /// What the archive may hold. Earwright compresses nothing, but another program may have packed
    /// it anew: texts shrink to a twentieth, weights hardly.
    uint64_t mostBytes() const { return kMostText + 4 * m_fileBytes; }

private:
    struct Closing {
        void operator()(void* archive) const;
    };
    using Archive = std::unique_ptr<void, Closing>;
    static constexpr uint64_t kMostText = uint64_t { 64 } << 20;

    ZipReader(std::filesystem::path file, uint64_t fileBytes, Archive archive);
    bool findFiles();
    Error unreadable(const std::string& name, const std::string& why) const;
    bool readCurrent(std::string& bytes) const;

    std::filesystem::path m_file;
    uint64_t m_fileBytes;
    Archive m_archive;
    std::map<std::string, uint64_t> m_places; ///< of their entries in the archive's directory
};

/// Writes these files of `folder`, uncompressed, below a folder `top` of the archive. The error is
/// the reason alone; what there is of the archive then is of no use.
Status writeZip(const std::filesystem::path& file, const std::string& top,
    const std::filesystem::path& folder, const std::vector<std::string>& names);

} // namespace earwright::run
