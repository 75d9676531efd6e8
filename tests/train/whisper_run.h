#pragma once

#include "core/model/tensor_file.h"
#include "core/model/whisper/whisper.h"
#include "core/train/recogniser.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"

#include <QTemporaryDir>

// A small Whisper of random weights, and runs of it.

namespace earwright::tests {

inline const std::string kWhisperCases = EARWRIGHT_CASES_DIR "/train/whisper";
inline constexpr const char* kStoredWeights = "model.safetensors";

/// The folder of the cases with weights as drawn.
inline void makeWhisperFolder(const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    for (const auto& file : std::filesystem::directory_iterator(kWhisperCases))
        std::filesystem::copy_file(file.path(), folder / file.path().filename());
    const Result<std::string> config = readFile(folder / "config.json");
    torch::manual_seed(3);
    const model::Whisper whisper(catalog::WhisperConfig(), *model::parseWhisperConfig(*config));
    model::TensorFile weights;
    for (const auto& parameter : whisper.named_parameters())
        weights.tensors[parameter.key()] = parameter.value().detach();
    if (!model::writeTensorFile(folder / kStoredWeights, weights))
        qFatal("no weights");
}

inline std::string whisperRecipe(const std::string& name)
{
    return *readFile(EARWRIGHT_CASES_DIR "/train/" + name + ".yaml");
}

inline std::filesystem::path checkpointOf(const RankRun& run)
{
    return *train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
}

/// A line an utterance of train.csv, or why there is none.
inline QString heardLines(const plan::Plan& plan, const std::filesystem::path& run,
    const std::filesystem::path& checkpoint, const std::filesystem::path& data)
{
    auto recogniser = train::Recogniser::load(plan, run, checkpoint, at::kCPU, {});
    if (!recogniser)
        return QString::fromStdString(recogniser.error().message);
    const auto utterances = data::readManifest((data / "train.csv").string(), "");
    const auto heard = recogniser->recognise(*utterances, 4);
    if (!heard)
        return QString::fromStdString(heard.error().message);
    QString all;
    for (const train::Heard& one : *heard)
        all += QString::fromStdString(one.text()) + "\n";
    return all;
}

/// A run of this recipe's text on `data` and `hub` below a folder, by its name there.
inline RankRun whisperRun(const QTemporaryDir& below, const QString& name, int steps,
    const std::vector<std::string>& overrides, const std::string& text)
{
    const auto at = [&](const QString& file) { return below.filePath(file).toStdString(); };
    RankRun run { .folder = at(name),
        .data = at("data"),
        .recipe = at(name + ".yaml"),
        .overrides
        = { "--whisper_hub=" + at("hub"), "--optimizer_step_limit=" + std::to_string(steps) } };
    if (!writeFileAtomically(run.recipe, text))
        qFatal("no recipe");
    run.overrides.insert(run.overrides.end(), overrides.begin(), overrides.end());
    return run;
}

} // namespace earwright::tests
