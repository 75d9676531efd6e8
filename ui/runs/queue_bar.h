#pragma once

#include "ui/runs/run_listing.h"

#include <QFrame>
#include <QTimer>

class QLabel;

namespace earwright::ui {

/// Above the runs while something keeps the waiting ones from being started: what, and the button
/// that goes on. GUI thread only.
class QueueBar final : public QFrame {
    Q_OBJECT
public:
    explicit QueueBar(QWidget* parent = nullptr);

    void setHindrance(const QueueHindrance& hindrance);

Q_SIGNALS:
    void goOnRequested();

private:
    void showText(const QString& text);

    QLabel* m_label;
    QTimer m_patience; ///< a process that serves the queue takes a moment to start
};

} // namespace earwright::ui
