#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <array>
#include <memory>
#include <new>
#include <openssl/evp.h>
#include <vector>

namespace earwright {

namespace {

/// OpenSSL's functions fail for want of memory alone.
void demand(int done)
{
    if (done != 1)
        throw std::bad_alloc();
}

class Sha256 final {
public:
    Sha256() { demand(EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr)); }
    void add(const char* bytes, size_t count)
    {
        demand(EVP_DigestUpdate(m_context.get(), bytes, count));
    }
    std::string hex()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest {};
        unsigned size = 0;
        demand(EVP_DigestFinal_ex(m_context.get(), digest.data(), &size));
        std::string text;
        for (unsigned i = 0; i < size; ++i) {
            text += "0123456789abcdef"[digest[i] >> 4];
            text += "0123456789abcdef"[digest[i] & 0xf];
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context { EVP_MD_CTX_new(),
        EVP_MD_CTX_free };
};

} // namespace

std::string sha256Hex(std::string_view bytes)
{
    Sha256 sum;
    sum.add(bytes.data(), bytes.size());
    return sum.hex();
}

Result<std::string> sha256HexOfFile(const std::filesystem::path& path)
{
    const auto file = FileBytes::open(path);
    if (!file)
        return file.error();
    Sha256 sum;
    std::vector<char> block(size_t(1) << 18);
    for (std::streamsize count = 0; (count = (*file)->sgetn(block.data(), std::ssize(block))) > 0;)
        sum.add(block.data(), static_cast<size_t>(count));
    if (const Status whole = (*file)->status(); !whole)
        return whole.error();
    return sum.hex();
}

} // namespace earwright
