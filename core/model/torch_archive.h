#pragma once

#include "core/base/result.h"
#include "core/model/stored_zip.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace caffe2::serialize {
class PyTorchStreamReader;
}

namespace earwright::model {

/// A zip archive as torch.save writes them: named records, uncompressed, below one folder; one with
/// a compressed record or one larger than the file is refused before any is read (stored_zip.h).
/// Read by LibTorch's PyTorchStreamReader, whose exceptions become Errors that name the file. A
/// record is found by its name, so nothing in the archive can name a place outside it.
class TorchArchive final {
public:
    /// The error tells a file of torch.save's old format, which is no zip, from one that is
    /// damaged.
    static Result<TorchArchive> open(const std::filesystem::path& path);

    TorchArchive(TorchArchive&&) noexcept;
    TorchArchive& operator=(TorchArchive&&) noexcept;
    ~TorchArchive();

    bool has(const std::string& record) const;
    /// Never more than fileBytes().
    Result<uint64_t> size(const std::string& record) const;
    Result<std::string> read(const std::string& record) const;
    /// `bytes` is the record's size(). An error where the bytes have another checksum than the
    /// archive says, which PyTorch itself does not look at.
    Status readInto(const std::string& record, void* to, uint64_t bytes) const;

    uint64_t fileBytes() const { return m_fileBytes; }

private:
    Status verifySum(const std::string& record, const void* from, uint64_t bytes) const;
    TorchArchive(std::filesystem::path path, uint64_t fileBytes, RecordSums sums,
        std::unique_ptr<caffe2::serialize::PyTorchStreamReader> reader);

    std::filesystem::path m_path;
    uint64_t m_fileBytes;
    RecordSums m_sums;
    std::unique_ptr<caffe2::serialize::PyTorchStreamReader> m_reader;
};

} // namespace earwright::model
