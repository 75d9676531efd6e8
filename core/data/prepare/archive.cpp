#include "core/data/prepare/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

namespace earwright::data {
namespace {

using ArchiveReader = std::unique_ptr<archive, decltype(&archive_read_free)>;

constexpr size_t kBlockBytes = 1 << 16;

Error damaged(const ArchiveReader& reader)
{
    const char* reason = archive_error_string(reader.get());
    return Error { reason ? reason : "it is no archive" };
}

/// Below the folder, or nothing: an archive of the net may name what it likes.
std::filesystem::path placeOf(const char* name, const std::filesystem::path& folder)
{
    const std::filesystem::path place = std::filesystem::path(name ? name : "").lexically_normal();
    const bool isBelow = !place.empty() && !place.is_absolute() && *place.begin() != "..";
    return isBelow ? folder / place : std::filesystem::path();
}

Status writeEntry(const ArchiveReader& reader, const std::filesystem::path& file)
{
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    std::ofstream out(file, std::ios::binary);
    char block[kBlockBytes];
    la_ssize_t count = 0;
    while (out && (count = archive_read_data(reader.get(), block, sizeof block)) > 0)
        out.write(block, count);
    if (count < 0)
        return damaged(reader);
    out.close();
    if (!out)
        return Error { "cannot write '" + file.string() + "': " + std::strerror(errno) };
    return Done {};
}

Status unpackEntry(
    const ArchiveReader& reader, archive_entry* entry, const std::filesystem::path& folder)
{
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return Done {};
    const char* name = archive_entry_pathname(entry);
    const std::filesystem::path place = placeOf(name, folder);
    if (place.empty() || archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry))
        return Error { std::string("it holds '") + (name ? name : "?")
            + "', which is no file of its own folder" };
    return writeEntry(reader, place);
}

Status unpackAll(const ArchiveReader& reader, const std::filesystem::path& folder)
{
    archive_entry* entry = nullptr;
    int code = ARCHIVE_OK;
    while ((code = archive_read_next_header(reader.get(), &entry)) == ARCHIVE_OK)
        if (const Status written = unpackEntry(reader, entry, folder); !written)
            return written;
    return code == ARCHIVE_EOF ? Status(Done {}) : damaged(reader);
}

} // namespace

Status unpack(const std::filesystem::path& archive, const std::filesystem::path& folder)
{
    const ArchiveReader reader(archive_read_new(), &archive_read_free);
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_format_tar(reader.get());
    Status done
        = archive_read_open_filename(reader.get(), archive.c_str(), kBlockBytes) == ARCHIVE_OK
        ? unpackAll(reader, folder)
        : Status(damaged(reader));
    if (!done)
        return Error { "cannot unpack '" + archive.string() + "': " + done.error().message };
    return done;
}

} // namespace earwright::data
