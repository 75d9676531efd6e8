#pragma once

#include <filesystem>
#include <string>

namespace earwright {

/// A new folder with a name of its own, gone with the object and all that is in it.
class TemporaryFolder final {
public:
    /// Below `parent` as PREFIX-XXXXXX; "" = the system's place for such.
    TemporaryFolder(const std::filesystem::path& parent, const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; } ///< empty where it was not made

    /// All that there are, also those that other threads write into, for a process that then ends
    /// without their destructors: whoever makes or removes one waits for that end.
    static void removeAll();

private:
    std::filesystem::path m_path;
};

/// Makes the folders of `relative` below `root`. Not `root` itself, as create_directories() would:
/// one that removeAll() took away stays away.
void makeFoldersBelow(const std::filesystem::path& root, const std::filesystem::path& relative);

} // namespace earwright
