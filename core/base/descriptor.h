#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>
#include <utility>

namespace earwright {

/// Owns a file descriptor; -1 = none.
class Descriptor final {
public:
    explicit Descriptor(int fd = -1)
        : m_fd(fd)
    {
    }
    Descriptor(Descriptor&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }

    explicit operator bool() const { return m_fd >= 0; }
    int fd() const { return m_fd; }
    /// Gives it up to another owner.
    int release() { return std::exchange(m_fd, -1); }

private:
    int m_fd;
};

/// The reason of the last system call's failure, in words.
inline std::string systemError()
{
    return std::strerror(errno);
}

} // namespace earwright
