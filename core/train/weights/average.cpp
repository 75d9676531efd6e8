#include "core/train/weights/average.h"

#include "core/train/weights/checkpoint_folder.h"

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

Result<std::vector<CheckpointPart>> partsOf(const std::vector<fs::path>& checkpoints)
{
    std::vector<CheckpointPart> parts;
    for (const fs::path& path : checkpoints) {
        Result<CheckpointPart> part = partOf(path);
        if (!part)
            return part.error();
        parts.push_back(std::move(*part));
    }
    return parts;
}

Error differs(const std::filesystem::path& path, const std::string& name)
{
    return Error { "'" + path.string() + "' cannot be averaged with the others: '" + name
        + "' is missing or has another shape; are the checkpoints of one model?" };
}

/// Floating-point tensors in float64, a copy; the others as they are.
Tensors beginSum(const Tensors& model)
{
    Tensors sums = model;
    for (auto& [name, tensor] : sums) {
        if (tensor.is_floating_point())
            tensor = tensor.to(torch::kDouble, false, true);
    }
    return sums;
}

Status add(Tensors& sums, const Tensors& model, const std::filesystem::path& path)
{
    for (auto& [name, sum] : sums) {
        const auto found = model.find(name);
        if (found == model.end() || found->second.sizes() != sum.sizes())
            return differs(path, name);
        if (sum.is_floating_point())
            sum.add_(found->second);
    }
    for (const auto& [name, tensor] : model) {
        if (!sums.contains(name))
            return differs(path, name);
    }
    return Done {};
}

} // namespace

Result<Checkpoint> averageCheckpoints(const std::vector<std::filesystem::path>& checkpoints)
{
    if (checkpoints.empty())
        return Error { "there are no checkpoints to average" };
    Result<Checkpoint> newest = loadCheckpoint(checkpoints.front());
    if (!newest)
        return newest;
    Tensors sums = beginSum(newest->model);
    for (size_t i = 1; i < checkpoints.size(); ++i) {
        const Result<Checkpoint> next = loadCheckpoint(checkpoints[i]);
        if (!next)
            return next.error();
        if (const Status added = add(sums, next->model, checkpoints[i]); !added)
            return added.error();
    }
    for (auto& [name, tensor] : newest->model) {
        if (tensor.is_floating_point())
            tensor = sums.at(name)
                         .div_(static_cast<double>(checkpoints.size()))
                         .to(tensor.scalar_type());
    }
    newest->training.clear();
    newest->metric = -1;
    const auto parts = partsOf(checkpoints);
    if (!parts)
        return parts.error();
    newest->averaged = *parts;
    return newest;
}

Result<fs::path> judgedCheckpoint(const fs::path& folder, size_t count, const fs::path& into)
{
    const std::vector<fs::path> best = bestCheckpoints(folder, count);
    if (count <= 1 || best.size() <= 1) {
        auto one = bestCheckpoint(folder);
        one = one ? one : lastCheckpoint(folder);
        return one ? Result<fs::path>(*one)
                   : Error { "there is no complete checkpoint in '" + folder.string() + "' yet" };
    }
    const auto parts = partsOf(best);
    if (!parts)
        return parts.error();
    const std::string name = "avg-" + std::to_string(best.size());
    if (averagedIn(folder / name) == *parts)
        return folder / name;
    const Result<Checkpoint> mean = averageCheckpoints(best);
    if (!mean)
        return mean.error();
    const Status written = writeCheckpoint(into / name, *mean);
    return written ? Result<fs::path>(into / name) : written.error();
}

} // namespace earwright::train
