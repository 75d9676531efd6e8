#include "core/run/store_secret.h"

#include "core/base/descriptor.h"
#include "core/base/file.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <stdexcept>
#include <sys/stat.h>

namespace earwright::run {

namespace {

constexpr const char* kProtocol = "earwright store 1";
constexpr size_t kRandomBytes = 32;
constexpr const char* kClient = "client";
constexpr const char* kServer = "server";

std::string randomBytes()
{
    std::string bytes(kRandomBytes, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), kRandomBytes) != 1)
        throw std::runtime_error("the system gives no random numbers");
    return bytes;
}

bool areEqual(const std::string& one, const std::string& other)
{
    return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

/// Under a name of its own, and then under the one that counts unless another rank was faster.
Status makeSecret(const std::filesystem::path& file)
{
    std::string name = file.string() + ".XXXXXX";
    const Descriptor made(::mkostemp(name.data(), O_CLOEXEC)); // of mode 0600
    const std::string bytes = randomBytes();
    const bool isWritten = made
        && ::write(made.fd(), bytes.data(), bytes.size()) == std::ssize(bytes)
        && ::fsync(made.fd()) == 0 && (::link(name.c_str(), file.c_str()) == 0 || errno == EEXIST);
    const std::string reason = systemError();
    if (made)
        ::unlink(name.c_str());
    if (!isWritten)
        return Error { "cannot write '" + file.string() + "': " + reason };
    return Done {};
}

Result<std::string> readSecret(const std::filesystem::path& file)
{
    struct stat status { };
    if (::stat(file.c_str(), &status) != 0)
        return Error { "cannot read '" + file.string() + "': " + systemError() };
    if (status.st_uid != ::geteuid())
        return Error { "'" + file.string()
            + "' belongs to another user: start all ranks as the user who owns the run" };
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return Error { "others may read or write '" + file.string()
            + "', the secret of the run: delete it, and a new one is made" };
    Result<std::string> secret = readFile(file);
    if (secret && secret->size() != kRandomBytes)
        return Error { "'" + file.string() + "' is damaged: delete it, and a new one is made" };
    return secret;
}

} // namespace

std::filesystem::path storeSecretFile(const RunFolder& folder)
{
    return folder.path / "store.secret";
}

Result<std::string> storeSecret(const RunFolder& folder)
{
    const std::filesystem::path file = storeSecretFile(folder);
    if (!isFile(file)) {
        if (const Status made = makeSecret(file); !made)
            return made.error();
    }
    return readSecret(file);
}

StoreHandshake::StoreHandshake(std::string secret)
    : m_secret(std::move(secret))
    , m_mine(randomBytes())
{
}

std::string StoreHandshake::proofOf(
    const char* end, const std::string& clients, const std::string& servers) const
{
    const std::string text = std::string(end) + clients + servers;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (HMAC(EVP_sha256(), m_secret.data(), static_cast<int>(m_secret.size()),
            reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size)
        == nullptr)
        throw std::bad_alloc(); // it fails for want of memory alone
    return { reinterpret_cast<const char*>(digest), size };
}

StoreMessage StoreHandshake::hello() const
{
    return { StoreMessage::Kind::Hello, { kProtocol, m_mine } };
}

Result<StoreMessage> StoreHandshake::challenge(const StoreMessage& hello)
{
    if (hello.kind != StoreMessage::Kind::Hello || hello.texts.size() != 2
        || hello.texts[0] != kProtocol || hello.texts[1].size() != kRandomBytes)
        return Error { "it is no rank of this version of Earwright" };
    m_theirs = hello.texts[1];
    return StoreMessage { StoreMessage::Kind::Challenge,
        { m_mine, proofOf(kServer, m_theirs, m_mine) } };
}

Result<StoreMessage> StoreHandshake::proof(const StoreMessage& challenge) const
{
    if (challenge.kind != StoreMessage::Kind::Challenge || challenge.texts.size() != 2
        || challenge.texts[0].size() != kRandomBytes)
        return Error { "it is no rank 0 of this version of Earwright" };
    const std::string& theirs = challenge.texts[0];
    if (!areEqual(challenge.texts[1], proofOf(kServer, m_mine, theirs)))
        return Error { "it has another secret than this rank, which reads RUN/store.secret" };
    return StoreMessage { StoreMessage::Kind::Proof, { proofOf(kClient, m_mine, theirs) } };
}

bool StoreHandshake::isProved(const StoreMessage& proof) const
{
    return !m_theirs.empty() && proof.kind == StoreMessage::Kind::Proof && proof.texts.size() == 1
        && areEqual(proof.texts[0], proofOf(kClient, m_theirs, m_mine));
}

} // namespace earwright::run
