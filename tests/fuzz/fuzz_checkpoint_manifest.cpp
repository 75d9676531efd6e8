// manifest.json of a checkpoint.
#include "core/train/weights/checkpoint_manifest.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"

using namespace earwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::fileWith(fuzz::textOf(data, size), "manifest.json");
    const auto manifest = train::readCheckpointManifest(fuzz::folder());
    if (!manifest) {
        const std::string& said = manifest.error().message;
        fuzz::require(said.starts_with("checkpoint ") && said.find('\n') == std::string::npos,
            "an error names the checkpoint, in a line", said);
        return 0;
    }
    fuzz::require(manifest->progress.epoch >= 1 && manifest->progress.step >= 0
            && manifest->progress.batchesDone >= 0 && manifest->metric >= -1,
        "numbers are in their range");
    const std::string text = train::manifestText(*manifest);
    fuzz::fileWith(text, "manifest.json");
    const auto again = train::readCheckpointManifest(fuzz::folder());
    fuzz::require(bool(again), "what is written is read", text);
    fuzz::require(train::manifestText(*again) == text, "as it was", text);
    fuzz::require(again->files == manifest->files && again->best == manifest->best, "the same");
    return 0;
}
