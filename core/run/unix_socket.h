#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"

#include <string>
#include <sys/un.h>

namespace earwright::run {

/// The address of a path. Error where the path is longer than the kernel takes (107 bytes).
Result<sockaddr_un> unixAddress(const std::string& path);

/// Whether a process of this user, or root's, has the other end: the kernel's word.
bool isOfThisUser(int fd);

/// A socket that listens for this user's processes alone: a file of mode 0600 and of a new name in
/// $XDG_RUNTIME_DIR, else /tmp (a run folder's path may be too long for one). The file goes with
/// the object.
class PrivateListener final {
public:
    static Result<PrivateListener> open();
    PrivateListener(PrivateListener&& other) noexcept = default;
    ~PrivateListener();

    int fd() const { return m_socket.fd(); }
    const std::string& path() const { return m_path; }

private:
    PrivateListener(Descriptor socket, std::string path);
    Descriptor m_socket;
    std::string m_path;
};

} // namespace earwright::run
