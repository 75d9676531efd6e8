#include "tests/registry.h"
#include "ui/widgets/info_bar.h"

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

EARWRIGHT_TEST(TstInfoBar)
#include "tst_info_bar.moc"
