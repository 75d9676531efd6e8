#pragma once

#include <QByteArray>
#include <QObject>

namespace earwright::ui {

struct WindowParts;

/// Docks and bars around the page in front, and their absence while plots are shown alone. GUI
/// thread only.
class LayoutController final : public QObject {
    Q_OBJECT
public:
    explicit LayoutController(const WindowParts& parts);

    /// Puts docks and bars away, but for the menus, or back as they were.
    void setAlone(bool isAlone);
    bool isAlone() const { return !m_before.isEmpty(); }

    /// For the next window; while they are away, as they were before.
    QByteArray state() const;
    void restore(const QByteArray& state);

private:
    const WindowParts& m_parts;
    QByteArray m_before; ///< empty where nothing is put away
};

} // namespace earwright::ui
