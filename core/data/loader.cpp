#include "core/data/loader.h"

#include "core/data/batch_reader.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace earwright::data {

struct Loader::State {
    State(BatchReader batchReader, std::vector<std::vector<int64_t>> epochBatches, size_t most)
        : reader(std::move(batchReader))
        , batches(std::move(epochBatches))
        , capacity(most)
    {
    }

    void work();
    Result<Batch> readAt(size_t position) const;
    Result<Batch> take(size_t position);
    bool canRead() const
    {
        return nextToRead < batches.size() && nextToRead < nextToDeliver + capacity;
    }

    // Constant after construction.
    const BatchReader reader;
    const std::vector<std::vector<int64_t>> batches;
    const size_t capacity; ///< batches being read or waiting
    std::atomic<bool> isStopped = false;

    std::mutex mutex; // guards all below
    std::condition_variable changed;
    std::map<size_t, Result<Batch>> ready;
    size_t nextToRead = 0;
    size_t nextToDeliver = 0;

    // The caller's thread only.
    std::vector<std::thread> workers;
    double waitedSeconds = 0;
};

/// LibTorch throws when memory runs out; that must reach the caller of next(), not end the process.
Result<Batch> Loader::State::readAt(size_t position) const
{
    try {
        return reader.read(batches[position], isStopped);
    } catch (const std::exception& thrown) {
        return Error { "batch " + std::to_string(position + 1)
            + " of the epoch: " + thrown.what() };
    }
}

void Loader::State::work()
{
    std::unique_lock lock(mutex);
    for (;;) {
        changed.wait(
            lock, [this] { return isStopped || nextToRead >= batches.size() || canRead(); });
        if (isStopped || nextToRead >= batches.size())
            return;
        const size_t position = nextToRead++;
        lock.unlock();
        Result<Batch> batch = readAt(position);
        lock.lock();
        ready.emplace(position, std::move(batch));
        changed.notify_all();
    }
}

Result<Batch> Loader::State::take(size_t position)
{
    if (workers.empty()) {
        nextToDeliver = position + 1;
        return readAt(position);
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready.count(position) != 0; });
    Result<Batch> batch = std::move(ready.at(position));
    ready.erase(position);
    nextToDeliver = position + 1;
    changed.notify_all();
    return batch;
}

Loader::Loader(std::shared_ptr<const std::vector<Utterance>> utterances,
    std::vector<std::vector<int64_t>> batches, std::shared_ptr<const TextEncoder> encoder,
    LoaderOptions options)
{
    const int numWorkers = std::max(0, options.numWorkers);
    const auto capacity = static_cast<size_t>(numWorkers * std::max(1, options.prefetchFactor));
    BatchReader reader(std::move(utterances), std::move(encoder), std::move(options));
    m_state = std::make_unique<State>(std::move(reader), std::move(batches), capacity);
    for (int i = 0; i < numWorkers; ++i)
        m_state->workers.emplace_back([state = m_state.get()] { state->work(); });
}

Loader::~Loader()
{
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->isStopped = true;
    }
    m_state->changed.notify_all();
    for (std::thread& worker : m_state->workers)
        worker.join();
}

Result<std::optional<Batch>> Loader::next()
{
    const size_t position = m_state->nextToDeliver;
    if (position >= m_state->batches.size())
        return std::optional<Batch> {};
    const auto begin = std::chrono::steady_clock::now();
    Result<Batch> batch = m_state->take(position);
    m_state->waitedSeconds
        += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!batch)
        return batch.error();
    return std::optional<Batch>(std::move(*batch));
}

double Loader::waitSeconds() const
{
    return m_state->waitedSeconds;
}

} // namespace earwright::data
