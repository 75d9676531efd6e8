#pragma once

#include "ui/session/settings_dialog.h"

#include <QObject>

namespace earwright::ui {

class NotificationsController;
class RunsController;
struct WindowParts;

/// The settings of the whole window: asks for them and sets them. GUI thread only.
class SettingsController final : public QObject {
    Q_OBJECT
public:
    SettingsController(
        const WindowParts& parts, RunsController& runs, NotificationsController& notifications);

    void ask();

private:
    WindowSettings settings() const;
    void set(const WindowSettings& settings);
    void setRunsRoot(const QString& root);

    const WindowParts& m_parts;
    RunsController& m_runs;
    NotificationsController& m_notifications;
};

} // namespace earwright::ui
