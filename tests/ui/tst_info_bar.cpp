#include "tests/registry.h"
#include "ui/widgets/info_bar.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace earwright::ui;

namespace {

QStringList choices(const InfoBar& bar)
{
    QStringList shown;
    for (const QPushButton* button : bar.findChildren<QPushButton*>())
        if (button->isVisible())
            shown << button->text();
    return shown;
}

} // namespace

class TstInfoBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shownWithinAChoice_offersTheNewOnesAlone();
    void shownWhenTheThemeChanges_keepsNoColoursOfBefore();
};

void TstInfoBar::shownWithinAChoice_offersTheNewOnesAlone()
{
    InfoBar bar;
    const auto ask = [&bar] {
        bar.showMessage(
            Tone::Warning, QStringLiteral("and now?"), { { QStringLiteral("Go"), {} } });
    };
    bar.showMessage(Tone::Warning, QStringLiteral("first"), { { QStringLiteral("Next"), ask } });
    QCOMPARE(choices(bar), QStringList({ QStringLiteral("Next"), QStringLiteral("Dismiss") }));
    QTest::mouseClick(bar.findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(choices(bar), QStringList({ QStringLiteral("Go"), QStringLiteral("Dismiss") }));
}

void TstInfoBar::shownWhenTheThemeChanges_keepsNoColoursOfBefore()
{
    Theme theme;
    theme.setMode(ThemeMode::Light);
    InfoBar bar;
    bar.showMessage(Tone::Warning, QStringLiteral("a message"));
    const QColor before = bar.findChild<QLabel*>()->palette().color(QPalette::WindowText);
    theme.setMode(ThemeMode::Dark);
    const QPalette now = QApplication::palette();
    QVERIFY(now.color(QPalette::WindowText) != before);
    QTRY_COMPARE(bar.findChild<QLabel*>()->palette().color(QPalette::WindowText),
        now.color(QPalette::WindowText));
    QCOMPARE(bar.findChild<QPushButton*>()->palette().color(QPalette::Button),
        now.color(QPalette::Button));
}

EARWRIGHT_TEST(TstInfoBar)
#include "tst_info_bar.moc"
