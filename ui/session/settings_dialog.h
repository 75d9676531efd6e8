#pragma once

#include "ui/widgets/theme.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFontComboBox;
class QLineEdit;
class QSpinBox;

namespace earwright::ui {

/// What a user sets for the whole window.
struct WindowSettings {
    QString editorFont {}; ///< as QFont::toString() writes it; "" = the system's fixed one
    ThemeMode theme = ThemeMode::Auto;
    QString runsRoot {};
    bool isNotifying = true; ///< the desktop says what became of runs
};

/// Asks for them; OK gives them, Cancel leaves all as it is.
class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(const WindowSettings& settings, QWidget* parent = nullptr);

    void accept() override;

Q_SIGNALS:
    void chosen(const earwright::ui::WindowSettings& settings);

private:
    void build();
    QWidget* buildFont();
    QWidget* buildRunsRoot();
    void fill(const WindowSettings& settings);
    void chooseRunsRoot();
    QString editorFont() const;

    QFontComboBox* m_family;
    QSpinBox* m_points;
    QComboBox* m_theme;
    QLineEdit* m_runsRoot;
    QCheckBox* m_isNotifying;
    // What the dialog was opened with.
    QString m_shownFont;
    QString m_shownFamily;
    int m_shownPoints = 0;
};

} // namespace earwright::ui
