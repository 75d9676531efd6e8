#pragma once

#include "core/base/descriptor.h"

#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>

namespace earwright::check {

/// A file's bytes without a copy of them; none where it is empty or cannot be read.
class MappedFile final {
public:
    explicit MappedFile(const std::filesystem::path& path)
    {
        const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        struct stat facts { };
        if (!file || ::fstat(file.fd(), &facts) != 0 || facts.st_size <= 0)
            return;
        m_size = static_cast<size_t>(facts.st_size);
        void* const mapped = ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file.fd(), 0);
        m_bytes = mapped == MAP_FAILED ? nullptr : static_cast<const char*>(mapped);
        if (m_bytes)
            ::madvise(mapped, m_size, MADV_SEQUENTIAL);
    }
    ~MappedFile()
    {
        if (m_bytes)
            ::munmap(const_cast<char*>(m_bytes), m_size);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::string_view bytes() const
    {
        return m_bytes ? std::string_view(m_bytes, m_size) : std::string_view();
    }

private:
    const char* m_bytes = nullptr;
    size_t m_size = 0;
};

} // namespace earwright::check
