#pragma once

#include "core/base/result.h"
#include "core/run/run_folder.h"
#include "ui/monitor/hotword_figures.h"

#include <memory>
#include <string>
#include <vector>

namespace earwright::ui {

/// How often one phrase of a run's list was spoken, recognised, and both.
struct PhraseCount {
    QString phrase;
    bool isUnseen = false; ///< in no training text
    int64_t spoken = 0;
    int64_t heard = 0;
    int64_t right = 0;

    HotwordFigures figures() const;
};

/// All phrases of one evaluation, in the list's order.
struct HotwordTable {
    QString split;
    int64_t epoch = 0;
    std::vector<PhraseCount> phrases;
    QString error; ///< why there are none; "" = they were read

    HotwordFigures figures(Phrases which) const;
};
using HotwordTablePtr = std::shared_ptr<const HotwordTable>;

/// What decode::HotwordCounter::table() wrote. Columns are found by their names, others skipped.
Result<std::vector<PhraseCount>> parseHotwordTable(const std::string& tsv);

/// Reads how the phrases were heard in a run's latest evaluation, from the run folder. One thread
/// at a time, and not the GUI's.
class HotwordReader final {
public:
    explicit HotwordReader(run::RunFolder folder);

    /// True where the table is another one than before.
    bool poll(const run::Snapshot& snapshot);
    /// Null where the latest evaluation counted no phrases.
    const HotwordTablePtr& table() const { return m_table; }

private:
    /// What tells a file from the one it was; nothing of one that is not there.
    struct Version {
        std::filesystem::path file {};
        std::filesystem::file_time_type time {};
        uintmax_t bytes = 0;
        bool operator==(const Version&) const = default;
    };
    Version versionNow(const run::Snapshot& snapshot) const;

    const run::RunFolder m_folder;
    Version m_version;
    HotwordTablePtr m_table;
};

} // namespace earwright::ui
