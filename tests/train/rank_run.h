#pragma once

#include "core/base/file.h"
#include "core/plan/checked.h"
#include "core/run/follower.h"
#include "core/train/trainer.h"
#include "core/train/weights/checkpoint_folder.h"
#include "tests/data/audio_fixture.h"
#include "tests/distributed/ranks.h"

#include <fstream>
#include <QString>
#include <random>

namespace earwright::tests {

/// A folder with train.csv: `count` noises of 0.15 to 0.45 s at 8 kHz with one to four letters.
inline void writeNoises(const std::filesystem::path& folder, int count)
{
    std::filesystem::create_directories(folder);
    std::mt19937 random(7);
    std::normal_distribution<float> noise(0, 0.1F);
    std::ofstream csv(folder / "train.csv");
    csv << "ID,duration,wav,spk_id,wrd\n";
    for (int i = 0; i < count; ++i) {
        std::vector<float> samples(1200 + random() % 2400);
        for (float& sample : samples)
            sample = noise(random);
        const std::filesystem::path wav = folder / (std::to_string(i) + ".wav");
        tests::writeSound(wav, samples, { .sampleRateHz = 8000 });
        std::string letters;
        for (auto left = 1 + random() % 4; left > 0; --left)
            letters += static_cast<char>('A' + random() % 6);
        csv << i << ',' << static_cast<double>(samples.size()) / 8000 << ',' << wav.string()
            << ",s," << letters << '\n';
    }
}

/// Nobody asks for anything.
inline train::Requests noRequests()
{
    return { .stop = [] { return false; },
        .checkpoint = [] { return false; },
        .pause = [] { return false; },
        .learningRate = [] { return std::optional<double>(); } };
}

/// A training of a recipe of tests/cases/train by ranks that are threads of this process.
struct RankRun {
    std::filesystem::path folder; ///< of the run, made anew
    std::filesystem::path data;
    std::string recipe; ///< file
    std::vector<std::string> overrides;
    int ranks = 1;
    train::Requests requests = noRequests(); ///< of all ranks
    std::string precision {}; ///< past the check, which lets no CPU train in fp16; "" = the plan's
    /// Of each rank, before it trains.
    std::function<void(const distributed::Group&)> joined = [](const distributed::Group&) {};
    std::filesystem::path
        folderOfOthers {}; ///< the run's, as the ranks but 0 see it; "" = the same
    int64_t attempt = 0; ///< 0 = first start

    /// The plan; where the recipe is refused, what is wrong goes to `errors`.
    plan::Plan plan(std::string& errors) const
    {
        check::Request request;
        const Result<std::string> text = readFile(recipe);
        request.text = text ? *text : "";
        request.fileName = recipe;
        request.devices = "cpu";
        std::vector<std::string> words = overrides;
        words.push_back("--data_folder=" + data.string());
        request.overrides = *recipe::parseOverrides(words);
        plan::Checked checked = plan::checkRecipe(request, check::Machine());
        for (const recipe::Diagnostic& diagnostic : checked.diagnostics) {
            if (diagnostic.severity == recipe::Severity::Error)
                errors += recipe::formatDiagnostic(diagnostic, "");
        }
        plan::Plan made = checked.plan.value_or(plan::Plan());
        made.options.precision = precision.empty() ? made.options.precision : precision;
        return made;
    }

    /// "" or what stopped the first rank that did not get to the end. `end`: how rank 0 ended.
    QString train(train::Outcome* end = nullptr) const
    {
        std::string errors;
        const plan::Plan made = plan(errors);
        if (!errors.empty())
            return QString::fromStdString(errors);
        const run::RunFolder run { folder };
        std::filesystem::create_directories(run.alignments());
        const auto thrown = Ranks(ranks).run([&](distributed::Group& group) {
            joined(group);
            const bool isElsewhere = !group.isMain() && !folderOfOthers.empty();
            const run::RunFolder seen { isElsewhere ? folderOfOthers : folder };
            auto events = run::EventWriter::open(seen.events(group.rank()), attempt);
            auto trainer = train::Trainer::make(
                { made, seen, group, **events, requests, c10::Device(c10::kCPU), attempt });
            if (!trainer)
                throw std::runtime_error(trainer.error().message);
            const auto outcome = (*trainer)->run();
            if (!outcome)
                throw std::runtime_error(outcome.error().message);
            if (end && group.isMain())
                *end = *outcome;
        });
        for (const std::string& text : thrown) {
            if (!text.empty())
                return QString::fromStdString(text);
        }
        return {};
    }

    std::map<std::string, torch::Tensor> model() const
    {
        const auto last = train::lastCheckpoint(run::RunFolder { folder }.checkpoints());
        return last ? train::loadCheckpoint(*last)->model : std::map<std::string, torch::Tensor>();
    }

    run::Snapshot snapshot() const
    {
        run::Follower follower(run::RunFolder { folder });
        const auto read = follower.poll();
        return read ? follower.snapshot() : run::Snapshot();
    }
};

} // namespace earwright::tests
