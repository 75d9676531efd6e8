#pragma once

#include "ui/widgets/theme.h"

#include <functional>
#include <QFrame>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace earwright::ui {

/// A non-modal message above a page with the choices it offers; hidden while there is nothing to
/// say.
class InfoBar final : public QFrame {
    Q_OBJECT
public:
    explicit InfoBar(QWidget* parent = nullptr);

    struct Choice {
        QString text;
        std::function<void()> run; ///< called after the bar has hidden
    };
    /// Replaces what is shown. A "Dismiss" button always comes last.
    void showMessage(Tone tone, const QString& text, const std::vector<Choice>& choices = {});
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addButton(const Choice& choice);

    QLabel* m_label;
    QHBoxLayout* m_buttons;
    Tone m_tone = Tone::Info;
};

} // namespace earwright::ui
