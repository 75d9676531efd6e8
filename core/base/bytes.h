#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"

#include <array>
#include <filesystem>
#include <memory>
#include <streambuf>
#include <string_view>

namespace earwright {

/// A text's bytes for what reads one after the other. Keeps the view: the text must outlive it.
class TextBytes final : public std::streambuf {
public:
    explicit TextBytes(std::string_view text)
    {
        char* const begin = const_cast<char*>(text.data()); // nothing writes: there is no put area
        setg(begin, begin, begin + text.size());
    }
};

/// A file's bytes, of which few are in memory at a time.
class FileBytes final : public std::streambuf {
public:
    /// Errors: as readFile().
    static Result<std::unique_ptr<FileBytes>> open(const std::filesystem::path& path);
    /// Whether the end that was met is the file's: the error says why no more could be read.
    Status status() const { return m_status; }
    /// What is in memory of what comes next; nothing at the end alone.
    std::string_view ahead()
    {
        sgetc();
        return { gptr(), static_cast<size_t>(egptr() - gptr()) };
    }

protected:
    int_type underflow() override;

private:
    FileBytes(std::filesystem::path path, Descriptor file);

    std::filesystem::path m_path;
    Descriptor m_file;
    Status m_status = Done {};
    std::array<char, 1 << 16> m_chunk {};
};

} // namespace earwright
