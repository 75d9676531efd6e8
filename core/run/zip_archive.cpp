#include "core/run/zip_archive.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <minizip/unzip.h>
#include <minizip/zip.h>

namespace earwright::run {
namespace {

namespace fs = std::filesystem;

constexpr size_t kZipChunkBytes = size_t { 1 } << 24; ///< minizip counts in 32 bits
constexpr uLong kUtf8Names = 1u << 11; ///< a flag of the format
constexpr uLong kDate = 1u << 21 | 1u << 16; ///< 1980-01-01: the same files make the same archive
constexpr uint64_t kZip32Bytes = 0xffffffff;

Error cannotRead(const fs::path& file, const std::string& why)
{
    return Error { "cannot read '" + file.string() + "': " + why };
}

/// minizip reads what is missing at the end as zeros: the end of the directory must lie where it
/// says that it does.
bool endsWhole(void* archive, const fs::path& file, uint64_t fileBytes)
{
    constexpr uint64_t kEndBytes = 22;
    constexpr std::string_view kEndMark = "PK\5\6";
    unz_global_info64 info {};
    unzGetGlobalInfo64(archive, &info);
    std::string mark(kEndMark.size(), '\0');
    std::ifstream bytes(file, std::ios::binary);
    bytes.seekg(static_cast<std::streamoff>(fileBytes - kEndBytes - info.size_comment));
    bytes.read(mark.data(), static_cast<std::streamsize>(mark.size()));
    return mark == kEndMark;
}

struct Finishing {
    void operator()(void* archive) const { zipClose(archive, nullptr); }
};

bool beginFile(void* archive, const std::string& name, size_t bytes)
{
    zip_fileinfo info {};
    info.dosDate = kDate;
    return zipOpenNewFileInZip4_64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0,
               0, 0, -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, 0, kUtf8Names,
               bytes >= kZip32Bytes)
        == ZIP_OK;
}

bool addFile(void* archive, const std::string& name, std::string_view bytes)
{
    if (!beginFile(archive, name, bytes.size()))
        return false;
    while (!bytes.empty()) {
        const std::string_view chunk = bytes.substr(0, kZipChunkBytes);
        if (zipWriteInFileInZip(archive, chunk.data(), static_cast<unsigned>(chunk.size()))
            != ZIP_OK)
            return false;
        bytes.remove_prefix(chunk.size());
    }
    return zipCloseFileInZip(archive) == ZIP_OK;
}

} // namespace

void ZipReader::Closing::operator()(void* archive) const
{
    unzClose(archive);
}

ZipReader::ZipReader(fs::path file, uint64_t fileBytes, Archive archive)
    : m_file(std::move(file))
    , m_fileBytes(fileBytes)
    , m_archive(std::move(archive))
{
}

Result<ZipReader> ZipReader::open(const fs::path& file)
{
    if (!std::ifstream(file, std::ios::binary))
        return cannotRead(file, std::strerror(errno));
    std::error_code problem;
    const uint64_t bytes = fs::file_size(file, problem);
    Archive archive(problem ? nullptr : unzOpen64(file.c_str()));
    const Error notWhole = cannotRead(file, "it is no whole zip archive; copy it again");
    if (!archive || !endsWhole(archive.get(), file, bytes))
        return notWhole;
    ZipReader reader(file, bytes, std::move(archive));
    if (!reader.findFiles())
        return notWhole;
    return reader;
}

bool ZipReader::findFiles()
{
    unz_file_info64 info {};
    int step = unzGoToFirstFile(m_archive.get());
    for (; step == UNZ_OK; step = unzGoToNextFile(m_archive.get())) {
        unzGetCurrentFileInfo64(m_archive.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0);
        std::string name(info.size_filename, '\0');
        if (unzGetCurrentFileInfo64(
                m_archive.get(), &info, name.data(), name.size(), nullptr, 0, nullptr, 0)
            != UNZ_OK)
            return false;
        m_places.emplace(std::move(name), unzGetOffset64(m_archive.get()));
    }
    return step == UNZ_END_OF_LIST_OF_FILE;
}

std::vector<std::string> ZipReader::names() const
{
    std::vector<std::string> names;
    for (const auto& [name, place] : m_places)
        names.push_back(name);
    return names;
}

Error ZipReader::unreadable(const std::string& name, const std::string& why) const
{
    return cannotRead(m_file, inQuotes(name) + " in it " + why);
}

Result<std::string> ZipReader::read(const std::string& name) const
{
    const auto found = m_places.find(name);
    if (found == m_places.end())
        return unreadable(name, "is missing");
    unz_file_info64 info {};
    if (unzSetOffset64(m_archive.get(), found->second) != UNZ_OK
        || unzGetCurrentFileInfo64(m_archive.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0)
            != UNZ_OK)
        return unreadable(name, "is damaged; copy it again");
    if (info.uncompressed_size > mostBytes())
        return unreadable(name,
            "would have " + std::to_string(info.uncompressed_size)
                + " bytes, far more than the archive, which no program makes of a run");
    std::string bytes(info.uncompressed_size, '\0');
    if (!readCurrent(bytes))
        return unreadable(name, "is damaged; copy it again");
    return bytes;
}

bool ZipReader::readCurrent(std::string& bytes) const
{
    if (unzOpenCurrentFile(m_archive.get()) != UNZ_OK)
        return false;
    for (size_t at = 0; at < bytes.size();) {
        const size_t wanted = std::min(bytes.size() - at, kZipChunkBytes);
        const int got
            = unzReadCurrentFile(m_archive.get(), bytes.data() + at, static_cast<unsigned>(wanted));
        if (got <= 0)
            break;
        at += static_cast<size_t>(got);
    }
    // It compares the CRC only where all was read.
    const bool isAll = unzeof(m_archive.get()) == 1;
    return unzCloseCurrentFile(m_archive.get()) == UNZ_OK && isAll;
}

Status writeZip(const fs::path& file, const std::string& top, const fs::path& folder,
    const std::vector<std::string>& names)
{
    const Error failure { "the archive is not whole; is the disk full?" };
    std::unique_ptr<void, Finishing> archive(zipOpen64(file.c_str(), APPEND_STATUS_CREATE));
    if (!archive)
        return failure;
    for (const std::string& name : names) {
        const Result<std::string> bytes = readFile(folder / name);
        if (!bytes)
            return bytes.error();
        if (!addFile(archive.get(), top + "/" + name, *bytes))
            return failure;
    }
    if (zipClose(archive.release(), nullptr) != ZIP_OK)
        return failure;
    return Done {};
}

} // namespace earwright::run
