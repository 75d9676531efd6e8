// What a trained model says of a manifest, for the tests that hold it against an upstream's
// classes.
//   log_probs CAPSULE MANIFEST OUT
// Writes the log-probabilities of all utterances as one batch, in evaluation, float32: "0" of the
// first output (CTC), "1" of the second where the task has one (the attention decoder's).

#include "core/data/encoder_recipe.h"
#include "core/data/loader.h"
#include "core/model/tensor_file.h"
#include "core/run/capsule.h"
#include "core/train/weights/checkpoint.h"
#include "core/train/weights/load_weights.h"

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <torch/utils.h>

using namespace earwright;

namespace {

template <class T>
T orThrow(Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

std::unique_ptr<train::Task> taskOf(const run::Capsule& capsule, const plan::Plan& plan,
    const std::shared_ptr<const data::TextEncoder>& encoder)
{
    auto task = orThrow(train::makeTask(*plan.recipe, encoder, torch::kCPU, "reduction"));
    const train::Checkpoint stored = orThrow(train::loadCheckpoint(capsule.checkpoint()));
    orThrow(train::loadWeights(*task, stored.model, "the capsule"));
    task->modules().train(false);
    return task;
}

data::Batch everything(const char* manifest, const plan::Plan& plan,
    const std::shared_ptr<const data::TextEncoder>& encoder)
{
    const auto utterances = std::make_shared<const std::vector<data::Utterance>>(
        orThrow(data::readManifest(manifest, "")));
    std::vector<int64_t> all(utterances->size());
    std::iota(all.begin(), all.end(), 0);
    const int64_t rate = recipe::asInt(*recipe::find(*plan.recipe, "sample_rate")).value_or(16000);
    data::Loader loader(
        utterances, { all }, encoder, { .sampleRateHz = static_cast<int>(rate), .numWorkers = 0 });
    return *orThrow(loader.next());
}

void write(const char* file, const char* manifest, const char* out)
{
    const torch::NoGradGuard noGrad;
    const run::Capsule capsule = orThrow(run::Capsule::open(file));
    const plan::Plan plan = orThrow(run::readPlan(capsule.run()));
    const auto encoder = std::make_shared<const data::TextEncoder>(
        orThrow(data::loadEncoder(*plan.recipe, capsule.run().path)));
    const auto task = taskOf(capsule, plan, encoder);
    model::TensorFile found;
    task->observe([&](const std::string& key, const torch::Tensor& output) {
        if (key.empty())
            found.tensors[std::to_string(found.tensors.size())] = output.contiguous();
    });
    task->run(everything(manifest, plan, encoder), train::Stage::Valid);
    orThrow(model::writeTensorFile(out, found));
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc != 4)
            throw std::runtime_error("log_probs CAPSULE MANIFEST OUT");
        write(argv[1], argv[2], argv[3]);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
