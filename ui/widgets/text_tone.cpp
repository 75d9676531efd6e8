#include "ui/widgets/text_tone.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

namespace earwright::ui {
namespace {

const QString kKeeperName = QStringLiteral("textTone");

/// A palette that is set does not change with the theme: this sets it again.
class ToneKeeper final : public QObject {
public:
    explicit ToneKeeper(QWidget& label)
        : QObject(&label)
        , m_label(label)
    {
        setObjectName(kKeeperName);
        label.installEventFilter(this);
    }

    void setTone(std::optional<Tone> tone)
    {
        m_tone = tone;
        apply();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::PaletteChange)
            apply();
        return QObject::eventFilter(watched, event);
    }

private:
    /// One that is the same already changes nothing, and so sends no further event.
    void apply()
    {
        QPalette colors;
        if (m_tone)
            colors.setColor(QPalette::WindowText, toneColor(*m_tone, QApplication::palette()));
        m_label.setPalette(colors);
    }

    QWidget& m_label;
    std::optional<Tone> m_tone;
};

} // namespace

void setTextTone(QWidget& label, std::optional<Tone> tone)
{
    auto* keeper = label.findChild<QObject*>(kKeeperName, Qt::FindDirectChildrenOnly);
    if (!keeper)
        keeper = new ToneKeeper(label);
    static_cast<ToneKeeper*>(keeper)->setTone(tone);
}

} // namespace earwright::ui
