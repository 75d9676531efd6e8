#include "core/model/torch_archive.h"

#include "core/base/no_weights.h"

#include <caffe2/serialize/inline_container.h>
#include <fstream>
#include <zlib.h>

namespace earwright::model {

namespace {

using Reader = caffe2::serialize::PyTorchStreamReader;

Error brokenArchive(const std::filesystem::path& path, const std::string& what)
{
    return Error { "cannot read '" + path.string() + "': " + what };
}

/// LibTorch's words, which name neither the file nor a remedy.
Error damaged(const std::filesystem::path& path, const std::exception& error)
{
    const auto* own = dynamic_cast<const c10::Error*>(&error);
    const std::string words = own ? own->what_without_backtrace() : error.what();
    return brokenArchive(path,
        "the archive is truncated or damaged (" + words.substr(0, words.find('\n'))
            + "); copy it again");
}

std::string firstBytes(const std::filesystem::path& path)
{
    std::string bytes(4, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(file.gcount()));
    return bytes;
}

Error noArchive(const std::filesystem::path& path, const std::string& bytes)
{
    if (const std::string why = whyNoWeights(path); !why.empty())
        return brokenArchive(path, why);
    if (bytes.starts_with("\x80\x02"))
        return brokenArchive(path,
            "it is in the format that torch.save wrote before PyTorch 1.6. Convert it in "
            "Python, where you trust it: torch.save(torch.load('"
                + path.filename().string() + "'), 'new.pt')");
    if (bytes.starts_with('\x80'))
        return brokenArchive(path,
            "it is a pickle of Python, but none of torch.save: "
            "torch.save(model.state_dict(), FILE) writes what can be read");
    return brokenArchive(path, "it is no zip archive, as torch.save writes them");
}

} // namespace

TorchArchive::TorchArchive(
    std::filesystem::path path, uint64_t fileBytes, RecordSums sums, std::unique_ptr<Reader> reader)
    : m_path(std::move(path))
    , m_fileBytes(fileBytes)
    , m_sums(std::move(sums))
    , m_reader(std::move(reader))
{
}
TorchArchive::TorchArchive(TorchArchive&&) noexcept = default;
TorchArchive& TorchArchive::operator=(TorchArchive&&) noexcept = default;
TorchArchive::~TorchArchive() = default;

Result<TorchArchive> TorchArchive::open(const std::filesystem::path& path)
{
    std::error_code problem;
    const uint64_t bytes = std::filesystem::file_size(path, problem);
    if (problem)
        return Error { "cannot read '" + path.string() + "': " + problem.message() };
    if (const std::string first = firstBytes(path); !first.starts_with("PK"))
        return noArchive(path, first);
    Result<RecordSums> sums = verifyStored(path);
    if (!sums)
        return brokenArchive(path, sums.error().message);
    try {
        return TorchArchive(path, bytes, std::move(*sums), std::make_unique<Reader>(path.string()));
    } catch (const std::exception& error) {
        return damaged(path, error);
    }
}

bool TorchArchive::has(const std::string& record) const
{
    try {
        return m_reader->hasRecord(record);
    } catch (const std::exception&) {
        return false;
    }
}

Result<uint64_t> TorchArchive::size(const std::string& record) const
{
    try {
        return m_reader->getRecordSize(record);
    } catch (const std::exception& error) {
        return damaged(m_path, error);
    }
}

Result<std::string> TorchArchive::read(const std::string& record) const
{
    const Result<uint64_t> bytes = size(record);
    if (!bytes)
        return bytes.error();
    std::string content(*bytes, '\0');
    if (const Status status = readInto(record, content.data(), *bytes); !status)
        return status.error();
    return content;
}

Status TorchArchive::verifySum(const std::string& record, const void* from, uint64_t bytes) const
{
    const auto kept = m_sums.find(record);
    if (kept == m_sums.end() || kept->second == 0
        || crc32_z(0, static_cast<const Bytef*>(from), bytes) == kept->second)
        return Done {};
    return brokenArchive(m_path, "its record '" + record + "' is damaged; copy the file again");
}

Status TorchArchive::readInto(const std::string& record, void* to, uint64_t bytes) const
{
    if (bytes == 0)
        return Done {};
    try {
        if (m_reader->getRecord(record, to, bytes) == bytes)
            return verifySum(record, to, bytes);
    } catch (const std::exception& error) {
        return damaged(m_path, error);
    }
    return brokenArchive(m_path, "its record '" + record + "' is shorter than it says");
}

} // namespace earwright::model
