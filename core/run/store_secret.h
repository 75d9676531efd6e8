#pragma once

#include "core/run/run_folder.h"
#include "core/run/store_message.h"

#include <filesystem>
#include <string>

namespace earwright::run {

/// What the ranks of a run on several hosts prove to each other that they know: RUN/store.secret,
/// which this user alone may read. Whoever asks first makes it. Error where others may read it.
Result<std::string> storeSecret(const RunFolder& folder);
std::filesystem::path storeSecretFile(const RunFolder& folder);

/// One end's part in a proof, each to the other, that both know a secret; the secret itself is
/// never sent (HMAC-SHA256 of two random numbers, one of each end). The client says Hello with its
/// number; the server answers a Challenge with its own and its proof; the client sends its Proof.
/// What follows is neither encrypted nor signed.
class StoreHandshake final {
public:
    explicit StoreHandshake(std::string secret);

    StoreMessage hello() const;
    /// The server's answer to a Hello.
    Result<StoreMessage> challenge(const StoreMessage& hello);
    /// The client's answer to a Challenge.
    Result<StoreMessage> proof(const StoreMessage& challenge) const;
    /// Whether a client's Proof is one: the server's last question.
    bool isProved(const StoreMessage& proof) const;

private:
    std::string proofOf(
        const char* end, const std::string& clients, const std::string& servers) const;

    std::string m_secret;
    std::string m_mine; ///< this end's random number
    std::string m_theirs;
};

} // namespace earwright::run
