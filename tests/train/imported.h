#pragma once

#include "core/train/weights/initial_weights.h"
#include "tests/train/rank_run.h"

#include <QTemporaryDir>

namespace earwright::tests {

using Tensors = std::map<std::string, torch::Tensor>;

/// SpeechBrain's checkpoint of the modules of imported.yaml, as make.py wrote it.
inline const std::filesystem::path kCheckpoint = EARWRIGHT_CASES_DIR "/train/CKPT+speechbrain+00";

/// 0, 1, 2, … in a shape.
inline torch::Tensor counted(std::vector<int64_t> sizes)
{
    return torch::arange(c10::multiply_integers(sizes), torch::kFloat).reshape(sizes);
}

inline std::string textOf(const std::filesystem::path& file)
{
    const auto text = readFile(file);
    return text ? *text : text.error().message;
}

/// What a run said of its weights.
inline std::string toldBy(const RankRun& run)
{
    std::string told;
    for (const auto& line : run.snapshot().log)
        told += line.text.starts_with("weights start") ? line.level + ": " + line.text : "";
    return told;
}

/// Runs of imported.yaml, in a folder that goes with the object, which start
/// from weights.
class ImportedRuns {
protected:
    ImportedRuns() { writeNoises(at("data"), 12); }

    std::filesystem::path at(const std::string& name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    /// A step, or so many epochs, which change nothing.
    RankRun run(const std::string& name, const std::string& initial,
        std::vector<std::string> more = {},
        const std::string& length = "optimizer_step_limit=1") const
    {
        more.insert(more.begin(), { "--" + length, "--init_param=" + initial });
        return { .folder = at(name),
            .data = at("data"),
            .recipe = EARWRIGHT_CASES_DIR "/train/imported.yaml",
            .overrides = std::move(more) };
    }
    recipe::NodePtr recipe() const
    {
        std::string errors;
        const recipe::NodePtr root = run("none", kCheckpoint.string()).plan(errors).recipe;
        if (!root)
            qFatal("%s", errors.c_str());
        return root;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace earwright::tests
