#pragma once

#include "core/run/store_client.h"

#include <mutex>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace earwright::distributed {

/// A client of a run::StoreServer that is to LibTorch what c10d::TCPStore is, and does the same.
/// Keys cannot be listed, and there are no queues. Throws c10::DistStoreError where a wait lasts
/// longer than its timeout or a request is refused, c10::DistNetworkError where the server is gone.
/// Safe from any thread; one at a time waits.
class RunStore final : public c10d::Store {
public:
    /// See run::StoreClient::connect().
    explicit RunStore(run::StoreAddress address);

    using c10d::Store::compareSet;
    using c10d::Store::set;
    c10::intrusive_ptr<c10d::Store> clone() override;
    void set(const std::string& key, const std::vector<uint8_t>& value) override;
    std::vector<uint8_t> compareSet(const std::string& key,
        const std::vector<uint8_t>& currentValue, const std::vector<uint8_t>& newValue) override;
    std::vector<uint8_t> get(const std::string& key) override;
    int64_t add(const std::string& key, int64_t value) override;
    bool deleteKey(const std::string& key) override;
    bool check(const std::vector<std::string>& keys) override;
    int64_t getNumKeys() override;
    void wait(const std::vector<std::string>& keys) override;
    void wait(
        const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override;
    void append(const std::string& key, const std::vector<uint8_t>& value) override;
    std::vector<std::vector<uint8_t>> multiGet(const std::vector<std::string>& keys) override;
    void multiSet(const std::vector<std::string>& keys,
        const std::vector<std::vector<uint8_t>>& values) override;
    bool hasExtendedApi() const override { return true; }

private:
    using Kind = run::StoreMessage::Kind;
    std::vector<std::string> ask(Kind kind, std::vector<std::string> texts, size_t results);
    int64_t askNumber(Kind kind, std::vector<std::string> texts);
    std::vector<std::string> askPatiently(
        Kind kind, const std::vector<std::string>& keys, std::chrono::milliseconds timeout);

    const run::StoreAddress m_address;
    std::mutex m_mutex; ///< Guards all below
    run::StoreClient m_client;
};

} // namespace earwright::distributed
