#pragma once

#include "tests/ui/hotword_run.h"
#include "tests/ui/recorded_run.h"
#include "ui/compare/compare_run.h"
#include "ui/widgets/plot_colors.h"

namespace earwright::ui {

/// Of a recording, or of its first `count` events.
inline CompareRun runOf(const QString& recording, size_t count = SIZE_MAX)
{
    const QString path = QStringLiteral("/runs/") + recording;
    return { path, recording, runColor(path), sharedSnapshot(foldRecording(recording, count)) };
}

inline std::vector<CompareRun> bothRuns()
{
    return { runOf(QStringLiteral("digits_fp32")), runOf(QStringLiteral("digits_bf16")) };
}

/// The second's test heard 5 % more of the hotwords.
inline std::vector<CompareRun> hotwordRuns()
{
    std::vector<CompareRun> runs;
    for (const char* name : { "seaco", "seaco-labels" }) {
        const QString path = QStringLiteral("/runs/") + QLatin1String(name);
        std::vector<run::Payload> payloads = hotwordRun();
        if (!runs.empty()) {
            for (const run::Payload& payload :
                payloadsOf({ .split = "test", .epoch = 4, .recall = 77.5 }))
                payloads.push_back(payload);
        }
        runs.push_back(
            { path, QLatin1String(name), runColor(path), sharedSnapshot(foldPayloads(payloads)) });
    }
    return runs;
}

} // namespace earwright::ui
