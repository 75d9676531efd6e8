// An event file with any content.
#include "core/base/file.h"
#include "core/run/event_log.h"
#include "core/run/record.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"

using namespace earwright;

namespace {

/// The input's records with their checksums mended, so that what is inside of them is read as well.
std::string mended(std::string_view input)
{
    std::string out;
    while (!input.empty()) {
        const size_t length = std::min<size_t>(static_cast<uint8_t>(input[0]) + 1u, input.size());
        run::appendRecord(out, input.substr(1, length - 1));
        input.remove_prefix(length);
    }
    return out;
}

void read(std::string_view bytes)
{
    fuzz::fileWith(bytes, "events.out.tfevents.0001");
    run::EventReader reader(fuzz::folder());
    for (int i = 0; i < 4; ++i) {
        if (const auto events = reader.readNew(64); !events)
            fuzz::require(!events.error().message.empty(), "damage is named");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view input = fuzz::textOf(data, size);
    read(input);
    read(mended(input));
    return 0;
}
