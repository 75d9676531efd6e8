// Language models from elsewhere: KenLM's binary form and ARPA texts.
#include "core/check/ngram/ngram_file.h"
#include "core/decode/ngram.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>
#include <fstream>
#include <unistd.h>

using namespace earwright;

namespace {

/// Of words that seeds have, each behind each.
void requireScores(const decode::NgramModel& model)
{
    for (const char* first : { "one", "two", "six", "ten", "<s>" })
        for (const char* second : { "one", "two", "six", "ten", "</s>" }) {
            decode::NgramState behind;
            decode::NgramState end;
            const float one = model.score(model.start(true), first, behind);
            const float two = model.score(behind, second, end);
            fuzz::require(std::isfinite(one) && std::isfinite(two), "a score is a number");
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const std::string file = "/tmp/fuzz_ngram." + std::to_string(::getpid());
    std::ofstream(file, std::ios::binary) << fuzz::textOf(data, size);
    const auto model = decode::NgramModel::open(file);
    if (model)
        requireScores(**model);
    else
        fuzz::require(model.error().message.find('\n') == std::string::npos, "one line",
            model.error().message);
    return 0;
}
