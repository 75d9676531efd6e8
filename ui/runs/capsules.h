#pragma once

#include "core/run/capsule.h"

#include <memory>
#include <QObject>
#include <QString>
#include <vector>

namespace earwright::ui {

struct OpenCapsule {
    run::RunSummary run; ///< its `capsule` is absolute and without links
    std::filesystem::file_time_type written {}; ///< the file, before it was read
    std::shared_ptr<const run::Capsule> unpacked; ///< the last owner's end removes the folder
};

/// The capsules that are open: run folders elsewhere, which are temporary and go when one is closed
/// or this object goes. GUI thread only, which touches no file: the thread pool does.
class Capsules final : public QObject {
    Q_OBJECT
public:
    explicit Capsules(QObject* parent = nullptr);

    /// Unpacks a file; a signal tells what came of it. Of one that is open already nothing more is
    /// made, unless it was written anew: then what it held before is closed.
    void open(const QString& path);
    void close(const QString& runPath);
    std::vector<run::RunSummary> runs() const; ///< in the order of opening

Q_SIGNALS:
    void opened(const QString& runPath);
    /// From now on nothing may be read there.
    void closed(const QString& runPath);
    /// Which file cannot be opened, and why.
    void failed(const QString& message);
    /// It neither is a zip archive nor has a capsule's suffix.
    void otherFileGiven(const QString& file);
    /// A run's folder, in the one that holds it, or a folder that is no run ("").
    void folderGiven(const QString& runsRoot, const QString& runPath);

private:
    void add(const OpenCapsule& capsule);

    std::vector<OpenCapsule> m_open;
};

} // namespace earwright::ui
