#include "core/distributed/run_store.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <c10/util/Exception.h>

namespace earwright::distributed {

namespace {

constexpr auto kServePatience = std::chrono::minutes(5); ///< until the store is served

run::StoreClient connected(const run::StoreAddress& address)
{
    Result<run::StoreClient> client = run::StoreClient::connect(address, kServePatience);
    if (!client)
        C10_THROW_ERROR(DistNetworkError, client.error().message);
    return std::move(*client);
}

std::string textOf(const std::vector<uint8_t>& bytes)
{
    return { bytes.begin(), bytes.end() };
}

std::vector<uint8_t> bytesOf(const std::string& text)
{
    return { text.begin(), text.end() };
}

} // namespace

RunStore::RunStore(run::StoreAddress address)
    : m_address(std::move(address))
    , m_client(connected(m_address))
{
}

/// The server's answer, which has so many texts.
std::vector<std::string> RunStore::ask(Kind kind, std::vector<std::string> texts, size_t results)
{
    const std::lock_guard lock(m_mutex);
    Result<run::StoreMessage> answer = m_client.ask({ kind, std::move(texts) });
    if (!answer)
        C10_THROW_ERROR(DistNetworkError,
            "the run's store at " + m_address.name() + " is gone: " + answer.error().message);
    if (answer->kind == Kind::TimedOut)
        C10_THROW_ERROR(DistStoreError, "wait timeout of the run's store");
    if (answer->kind == Kind::Refused && answer->texts.size() == 1)
        C10_THROW_ERROR(DistStoreError, answer->texts.front());
    if (answer->kind != Kind::Done || answer->texts.size() != results)
        C10_THROW_ERROR(DistNetworkError,
            "the run's store at " + m_address.name() + " gives an answer of another kind");
    return std::move(answer->texts);
}

int64_t RunStore::askNumber(Kind kind, std::vector<std::string> texts)
{
    const std::string text = ask(kind, std::move(texts), 1).front();
    const std::optional<int64_t> number = parseNumber<int64_t>(text);
    if (!number)
        C10_THROW_ERROR(DistNetworkError,
            "the run's store at " + m_address.name() + " answers " + inQuotes(text)
                + " where a number belongs");
    return *number;
}

std::vector<std::string> RunStore::askPatiently(
    Kind kind, const std::vector<std::string>& keys, std::chrono::milliseconds timeout)
try {
    std::vector<std::string> texts { std::to_string(timeout.count()) };
    texts.insert(texts.end(), keys.begin(), keys.end());
    return ask(kind, std::move(texts), kind == Kind::Get ? keys.size() : 0);
} catch (const c10::DistStoreError& problem) {
    C10_THROW_ERROR(DistStoreError,
        std::string(problem.what_without_backtrace()) + " after " + std::to_string(timeout.count())
            + "ms, keys: " + join(keys, ", "));
}

c10::intrusive_ptr<c10d::Store> RunStore::clone()
{
    auto copy = c10::make_intrusive<RunStore>(m_address);
    copy->setTimeout(getTimeout());
    return copy;
}

void RunStore::set(const std::string& key, const std::vector<uint8_t>& value)
{
    ask(Kind::Set, { key, textOf(value) }, 0);
}

std::vector<uint8_t> RunStore::compareSet(const std::string& key,
    const std::vector<uint8_t>& currentValue, const std::vector<uint8_t>& newValue)
{
    return bytesOf(
        ask(Kind::CompareSet, { key, textOf(currentValue), textOf(newValue) }, 1).front());
}

std::vector<uint8_t> RunStore::get(const std::string& key)
{
    return bytesOf(askPatiently(Kind::Get, { key }, getTimeout()).front());
}

int64_t RunStore::add(const std::string& key, int64_t value)
{
    return askNumber(Kind::Add, { key, std::to_string(value) });
}

bool RunStore::deleteKey(const std::string& key)
{
    return askNumber(Kind::Delete, { key }) != 0;
}

bool RunStore::check(const std::vector<std::string>& keys)
{
    return askNumber(Kind::Check, keys) != 0;
}

int64_t RunStore::getNumKeys()
{
    return askNumber(Kind::Count, {});
}

void RunStore::wait(const std::vector<std::string>& keys)
{
    wait(keys, getTimeout());
}

void RunStore::wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout)
{
    askPatiently(Kind::Wait, keys, timeout);
}

void RunStore::append(const std::string& key, const std::vector<uint8_t>& value)
{
    ask(Kind::Append, { key, textOf(value) }, 0);
}

std::vector<std::vector<uint8_t>> RunStore::multiGet(const std::vector<std::string>& keys)
{
    std::vector<std::vector<uint8_t>> values;
    for (const std::string& value : askPatiently(Kind::Get, keys, getTimeout()))
        values.push_back(bytesOf(value));
    return values;
}

void RunStore::multiSet(
    const std::vector<std::string>& keys, const std::vector<std::vector<uint8_t>>& values)
{
    TORCH_CHECK_EQ(keys.size(), values.size());
    std::vector<std::string> texts;
    for (size_t i = 0; i < keys.size(); ++i) {
        texts.push_back(keys[i]);
        texts.push_back(textOf(values[i]));
    }
    ask(Kind::Set, std::move(texts), 0);
}

} // namespace earwright::distributed
