// Requests on the control socket of a run, a line each.
#include "core/base/text.h"
#include "core/engine/run_requests.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

using namespace earwright;

// Nothing is passed on: there are neither ranks nor a log.
void engine::RankGroup::kill()
{
}
void run::EventWriter::write(run::Event)
{
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    engine::RunRequests requests;
    for (const std::string& line : split(fuzz::textOf(data, size), '\n')) {
        const std::string answer = requests.answer(line);
        fuzz::require(answer.find('\n') == std::string::npos, "an answer is a line", answer);
        const nlohmann::json said = nlohmann::json::parse(answer, nullptr, false);
        fuzz::require(said.is_object() && said.contains("ok") && said["ok"].is_boolean(),
            "it says whether", answer);
        fuzz::require(said["ok"].get<bool>() == said.contains("pid")
                && said["ok"].get<bool>() != said.contains("error"),
            "and by whom, or why not", answer);
    }
    return 0;
}
