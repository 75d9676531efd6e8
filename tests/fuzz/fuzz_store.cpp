// What comes over a connection to the ranks' store, and the values that ranks read there.
#include "core/distributed/beat.h"
#include "core/distributed/failure.h"
#include "core/run/store_keys.h"
#include "core/run/store_secret.h"
#include "tests/fuzz/fuzz.h"

using namespace earwright;

namespace {

constexpr size_t kMostBytes = 4096;

void requireSame(const run::StoreMessage& message)
{
    run::StoreInbox inbox(run::kMostStoreBytes);
    const std::string wire = run::toWire(message);
    fuzz::require(wire.size() == run::wireBytes(message), "as long as it says");
    fuzz::require(inbox.add(wire), "it fits");
    const auto again = inbox.take();
    fuzz::require(again && *again && **again == message, "the same after a way over the wire");
}

void answer(run::StoreKeys& keys, const run::StoreMessage& request)
{
    const auto found = keys.answer(request);
    if (found)
        requireSame(*found);
    else
        fuzz::require(run::patienceMs(request).has_value(), "what waits says how long");
}

/// As a stranger who does not know the secret.
void knock(const run::StoreMessage& word)
{
    run::StoreHandshake server("the secret");
    fuzz::require(!server.isProved(word), "a stranger is not let in");
    const auto challenge = server.challenge(word);
    if (challenge)
        requireSame(*challenge);
    fuzz::require(!run::StoreHandshake("another").proof(word), "nor takes anyone for rank 0");
}

void readValue(const std::string& text)
{
    if (const auto beat = distributed::beatFromJson(text)) {
        fuzz::require(beat->count >= 0 && beat->pid >= 0 && beat->step >= 0, "counts count");
        fuzz::require(distributed::beatFromJson(distributed::beatToJson(*beat)).has_value(),
            "a beat stays one");
    }
    if (const auto failure = distributed::failureFromJson(text)) {
        fuzz::require(failure->rank >= -1 && failure->step >= 0, "a rank's number");
        fuzz::require(!distributed::describe(*failure).empty(), "a failure has words");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view input = fuzz::textOf(data, size);
    readValue(std::string(input));
    run::StoreInbox inbox(kMostBytes);
    run::StoreKeys keys;
    for (size_t at = 0; at < input.size(); at += 7) { // in pieces, as a network brings them
        if (!inbox.add(input.substr(at, 7)))
            return 0;
        for (;;) {
            const auto message = inbox.take();
            if (!message)
                return 0;
            if (!*message)
                break;
            requireSame(**message);
            answer(keys, **message);
            knock(**message);
            for (const std::string& text : (*message)->texts)
                readValue(text);
        }
    }
    return 0;
}
