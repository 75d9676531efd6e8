#include "core/data/prepare/gzip.h"

#include <memory>
#include <zlib.h>

namespace earwright::data {
namespace {

struct GzipCloser {
    void operator()(gzFile file) const { gzclose(file); }
};

} // namespace

Result<std::string> readMaybeGzip(const std::filesystem::path& path)
{
    const std::string name = path.string();
    const std::unique_ptr<gzFile_s, GzipCloser> file(gzopen(path.c_str(), "rb"));
    if (!file)
        return Error { "cannot read '" + name + "': no such file, or no permission" };
    std::string text;
    char buffer[1 << 16];
    int count = 0;
    while ((count = gzread(file.get(), buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<size_t>(count));
    int code = Z_OK;
    const char* reason = gzerror(file.get(), &code);
    if (count < 0 || code != Z_OK)
        return Error { "cannot unpack '" + name + "': " + reason };
    return text;
}

} // namespace earwright::data
