#pragma once

#include <QObject>

namespace earwright::ui {

/// SIGTERM (the machine shuts down), SIGINT (Ctrl+C) and SIGHUP (its terminal closes) as a Qt
/// signal in the thread of this object. A second one ends the program at once, should the first
/// not. One that was ignored when the program started, as by nohup, stays so. One object for the
/// program.
class QuitSignals final : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);

Q_SIGNALS:
    void received();
};

} // namespace earwright::ui
