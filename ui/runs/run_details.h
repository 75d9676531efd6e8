#pragma once

#include "core/run/run_folder.h"
#include "core/run/run_settings.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <deque>
#include <vector>

namespace earwright::ui {

/// What a list of runs costs too much to tell at once.
struct RunDetails {
    run::RunSettings settings {};
    qint64 bytes = -1; ///< of the run's folder on the disk; -1 = not known
};
using DetailsByPath = QHash<QString, RunDetails>;

/// Reads the details of runs in the thread pool, some at a time; those of a run anew when its
/// state or epoch has changed. GUI thread only, which touches no file.
class RunDetailsReader final : public QObject {
    Q_OBJECT
public:
    explicit RunDetailsReader(QObject* parent = nullptr);

    /// The runs that are listed now; what is not among them is forgotten.
    void setRuns(const std::vector<run::RunSummary>& runs);

Q_SIGNALS:
    /// Of some of the runs. A run that cannot be read has no settings.
    void read(const earwright::ui::DetailsByPath& details);

private:
    void readNext();

    QHash<QString, QString> m_stamps; ///< path -> its state and epoch
    QHash<QString, QString> m_known; ///< the same as it was read at
    std::deque<QString> m_waiting;
    bool m_isReading = false;
};

/// Bytes that a folder takes on the disk, links not followed; what cannot be read counts nothing.
qint64 bytesOnDisk(const std::filesystem::path& folder);

} // namespace earwright::ui
