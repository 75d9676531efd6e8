#include "core/train/inspect.h"

#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "core/engine/rank_main.h"

#include <charconv>
#include <cstdio>
#include <iostream>

namespace earwright::cli {

namespace {

using train::Inspected;

std::string shapeText(const std::vector<int64_t>& shape)
{
    std::string text;
    for (const int64_t size : shape)
        text += (text.empty() ? "[" : ", ") + std::to_string(size);
    return text.empty() ? "" : text + "]";
}

std::string mebibytes(int64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f", static_cast<double>(bytes) / (1 << 20));
    return text;
}

std::string signedPercent(double share)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%+.1f %%", 100 * share);
    return text;
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%g", value);
    return text;
}

std::string layerTable(const Inspected& inspected)
{
    std::vector<std::vector<std::string>> rows { { "layer", "class", "where", "input", "output",
        "parameters", "trained", "device" } };
    int64_t all = 0;
    int64_t trained = 0;
    for (const train::InspectedLayer& layer : inspected.layers) {
        rows.push_back({ layer.key, layer.className, layer.place, shapeText(layer.input),
            shapeText(layer.output), std::to_string(layer.parameterCount),
            std::to_string(layer.trainedCount), layer.device });
        all += layer.parameterCount;
        trained += layer.trainedCount;
    }
    rows.push_back({ "all", "", "", "", "", std::to_string(all), std::to_string(trained), "" });
    return table(rows);
}

std::string groupTable(const Inspected& inspected)
{
    std::vector<std::vector<std::string>> rows { { "optimizer", "group", "tensors", "parameters",
        "lr", "weight_decay" } };
    for (size_t i = 0; i < inspected.groups.size(); ++i) {
        const train::OptimizerGroup& group = inspected.groups[i];
        rows.push_back({ inspected.optimizer, std::to_string(i), std::to_string(group.tensorCount),
            std::to_string(group.parameterCount), number(group.learningRate),
            number(group.weightDecay) });
    }
    return table(rows);
}

std::string memoryTable(const Inspected& inspected)
{
    if (inspected.memory.empty())
        return "memory: the recipe names no manifest to take the largest batch from; give one by "
               "--batch ROWSxSECONDS\n";
    const bool isMeasured = inspected.memory.front().measuredActivationBytes >= 0;
    std::vector<std::vector<std::string>> rows { { "MiB a rank", "weights", "gradients",
        "optimizer", "activations", "total" } };
    if (isMeasured)
        rows.front().insert(rows.front().end(), { "measured", "error" });
    for (const train::MemoryForecast& forecast : inspected.memory) {
        rows.push_back({ forecast.precisions, mebibytes(forecast.weightBytes),
            mebibytes(forecast.gradientBytes), mebibytes(forecast.optimizerBytes),
            mebibytes(forecast.activationBytes), mebibytes(forecast.totalBytes()) });
        if (!isMeasured)
            continue;
        const int64_t measured
            = forecast.totalBytes() - forecast.activationBytes + forecast.measuredActivationBytes;
        rows.back().insert(rows.back().end(),
            { mebibytes(measured),
                signedPercent(
                    static_cast<double>(forecast.totalBytes()) / static_cast<double>(measured)
                    - 1) });
    }
    return "batch: " + std::to_string(inspected.batch.rows) + " rows of "
        + number(inspected.batch.seconds) + " s\n" + table(rows);
}

std::string tensorTable(const Inspected& inspected)
{
    std::vector<std::vector<std::string>> rows { { "tensor", "kind", "shape", "dtype", "device",
        "where" } };
    for (const train::Placement& row : inspected.placements)
        rows.push_back({ row.key + "." + row.name, row.kind, shapeText(row.shape),
            c10::toString(row.dtype), row.device.str(), row.place });
    return table(rows);
}

/// "8x12.5": rows and seconds.
std::optional<train::BatchSize> readBatch(const std::string& text)
{
    train::BatchSize batch;
    const char* end = text.data() + text.size();
    const auto [cross, bad] = std::from_chars(text.data(), end, batch.rows);
    if (bad != std::errc() || cross == end || *cross != 'x')
        return {};
    const auto [last, wrong] = std::from_chars(cross + 1, end, batch.seconds);
    if (wrong != std::errc() || last != end || batch.rows < 1 || !(batch.seconds > 0))
        return {};
    return batch;
}

} // namespace

int runInspect(const std::vector<std::string>& words)
{
    Arguments arguments;
    int exitCode = 0;
    const std::optional<plan::Plan> plan = planFrom(
        { "inspect", { "--batch" }, { "--measure", "--tensors" } }, words, arguments, exitCode);
    if (!plan)
        return exitCode;
    train::InspectOptions options { .measure = arguments.has("--measure") };
    if (const auto batch = arguments.option("--batch")) {
        options.batch = readBatch(*batch);
        if (!options.batch)
            return usageError("inspect", "--batch takes ROWSxSECONDS, such as 8x12.5");
    }
    const Result<Inspected> inspected = train::inspect(*plan, options);
    if (!inspected) {
        std::cerr << "earwright: " << inspected.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cout << layerTable(*inspected);
    if (inspected->error) {
        std::cout.flush();
        printDiagnostics({ *inspected->error });
        return engine::kRecipeErrors;
    }
    std::cout << "\n" << groupTable(*inspected) << "\n" << memoryTable(*inspected);
    if (arguments.has("--tensors"))
        std::cout << "\n" << tensorTable(*inspected);
    return engine::kDone;
}

} // namespace earwright::cli
