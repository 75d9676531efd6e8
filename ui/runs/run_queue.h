#pragma once

#include "core/run/queue.h"

#include <functional>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

namespace earwright::ui {

/// Changes the order of the runs that wait in a runs folder: one edit after the other, in a thread
/// of its own, so that every press of a key counts. Public functions and signals: GUI thread only.
class RunQueue final : public QObject {
    Q_OBJECT
public:
    explicit RunQueue(QObject* parent = nullptr);

    void setRoot(const QString& runsRoot);
    /// Towards the front where negative, as far as there are places.
    void moveBy(const QString& runPath, int places);
    void remove(const QStringList& runPaths);

Q_SIGNALS:
    void changed();
    void failed(const QString& message);

private:
    void edit(std::function<Status(run::Queue&)> change);

    QString m_root;
    QThreadPool m_thread;
};

} // namespace earwright::ui
