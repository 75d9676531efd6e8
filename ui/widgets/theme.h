#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <QString>

class QDBusVariant;

namespace earwright::ui {

enum class ThemeMode { Auto, Light, Dark };

QPalette lightPalette();
QPalette darkPalette();
/// Whether text is lighter than what it lies on.
bool isDark(const QPalette& palette);

/// Colours with a meaning, readable (contrast at least 4.5) on the palette's base colour.
enum class Tone { Good, Warning, Bad, Info, Muted, Accent };
QColor toneColor(Tone tone, const QPalette& palette);

/// Our style with a light or dark palette; Auto follows the desktop's colour scheme (settings
/// portal over D-Bus), and where no desktop answers the palette the application started with. GUI
/// thread only; one per application.
class Theme final : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject* parent = nullptr);

    ThemeMode mode() const { return m_mode; }
    void setMode(ThemeMode mode);

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void onPortalSetting(const QString& space, const QString& key, const QDBusVariant& value);

private:
    void askPortal();
    void setDesktopDark(bool dark);
    void apply();

    ThemeMode m_mode = ThemeMode::Auto;
    bool m_desktopDark = false;
};

} // namespace earwright::ui
