#include "tests/files.h"
#include "tests/registry.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/style.h"
#include "ui/widgets/text_tone.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace earwright::ui;

namespace {

double luminance(QColor color)
{
    const auto linear = [](double share) {
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

/// As the guidelines for web content (WCAG 2) reckon it.
double contrast(QColor a, QColor b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

/// Of the colour that stands out most on a widget's middle line, to the window around it.
double edgeContrast(QWidget& widget)
{
    const QImage image = widget.grab().toImage();
    const QColor window = widget.palette().color(QPalette::Window);
    double greatest = 1;
    for (int x = 0; x < image.width() / 2; ++x)
        greatest = std::max(greatest, contrast(image.pixelColor(x, image.height() / 2), window));
    return greatest;
}

/// Whether a combo box draws its text up to where the box's field ends.
bool isCutMidGlyph(QComboBox& box)
{
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.subControls = QStyle::SC_All;
    const QRect field = box.style()->subControlRect(
        QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    const QImage image = box.grab().toImage();
    const QColor text = box.palette().color(QPalette::ButtonText);
    const int x = field.right() - 1;
    for (int y = field.top() + 3; y < field.bottom() - 3; ++y) {
        if (contrast(image.pixelColor(x, y), text) < 1.5)
            return true;
    }
    return false;
}

} // namespace

/// What the program draws itself: frames, icons and the colours of curves.
class TstStyle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void frames_areSeenInEitherTheme_data();
    void frames_areSeenInEitherTheme();
    void comboBox_cutsItsTextWithAnEllipsis();
    void textTone_followsTheTheme();
    void themeIcon_isLightOnASelectedRow();
    void runColor_staysAndDiffers();
    void runColors_areTheSameAtTheNextStart();
};

void TstStyle::frames_areSeenInEitherTheme_data()
{
    QTest::addColumn<ThemeMode>("mode");
    QTest::addColumn<double>("least");
    QTest::newRow("light") << ThemeMode::Light << 1.6; // Fusion's own
    QTest::newRow("dark") << ThemeMode::Dark << 2.9;
}

void TstStyle::frames_areSeenInEitherTheme()
{
    QFETCH(const ThemeMode, mode);
    QFETCH(const double, least);
    Theme theme;
    theme.setMode(mode);
    QCheckBox check; // without a text, and not ticked
    QLineEdit line;
    QSpinBox spin;
    spin.setSpecialValueText(QStringLiteral(" "));
    line.resize(120, line.sizeHint().height());
    spin.resize(120, spin.sizeHint().height());
    for (QWidget* widget : { static_cast<QWidget*>(&check), static_cast<QWidget*>(&line),
             static_cast<QWidget*>(&spin) }) {
        const double found = edgeContrast(*widget);
        QVERIFY2(found >= least,
            qPrintable(QStringLiteral("%1: %2")
                           .arg(QLatin1String(widget->metaObject()->className()))
                           .arg(found)));
    }
}

void TstStyle::textTone_followsTheTheme()
{
    Theme theme;
    QLabel label;
    const auto shown = [&label] { return label.palette().color(QPalette::WindowText); };
    setTextTone(label, Tone::Bad);
    for (const ThemeMode mode : { ThemeMode::Light, ThemeMode::Dark, ThemeMode::Light }) {
        theme.setMode(mode);
        QTRY_COMPARE(shown(), toneColor(Tone::Bad, QApplication::palette()));
    }
    setTextTone(label, {});
    theme.setMode(ThemeMode::Dark);
    QTRY_COMPARE(shown(), QApplication::palette().color(QPalette::WindowText));
}

void TstStyle::comboBox_cutsItsTextWithAnEllipsis()
{
    Theme theme;
    theme.setMode(ThemeMode::Light);
    const auto isCut = [](QStyle* style) {
        QComboBox box;
        box.setStyle(style);
        box.addItem(
            QStringLiteral("口口口口口口口口口口口口口口口口口口口口口口口口口口口口口口口口"));
        bool isAnyCut = false;
        for (int width = 100; width < 130; ++width) {
            box.resize(width, box.sizeHint().height());
            isAnyCut |= isCutMidGlyph(box);
        }
        return isAnyCut;
    };
    Style ours;
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create(QStringLiteral("Fusion")));
    QVERIFY(isCut(fusion.get())); // or this test sees nothing
    QVERIFY(!isCut(&ours));
}

/// Desktops' icons are drawn for one background; a list's selected row has another.
void TstStyle::themeIcon_isLightOnASelectedRow()
{
    const QTemporaryDir folder;
    const QString theme = folder.filePath(QStringLiteral("earwright-test"));
    QVERIFY(QDir().mkpath(theme + QStringLiteral("/16")));
    writeFile(theme + QStringLiteral("/index.theme"),
        "[Icon Theme]\nName=earwright-test\nDirectories=16\n\n[16]\nSize=16\n");
    QImage dark(16, 16, QImage::Format_ARGB32);
    dark.fill(QColor(40, 40, 40));
    QVERIFY(dark.save(theme + QStringLiteral("/16/some-icon.png")));
    const QStringList paths = QIcon::themeSearchPaths();
    const QString before = QIcon::themeName();
    QIcon::setThemeSearchPaths({ folder.path() });
    QIcon::setThemeName(QStringLiteral("earwright-test"));
    const auto image = [](int size, QIcon::Mode mode) {
        return icon(QStringLiteral("some-icon")).pixmap(size, mode).toImage();
    };
    const QColor light = QApplication::palette().color(QPalette::HighlightedText);
    QCOMPARE(image(16, QIcon::Normal).pixelColor(8, 8), QColor(40, 40, 40));
    QCOMPARE(image(16, QIcon::Selected).pixelColor(8, 8), light);
    for (const QIcon::Mode mode : { QIcon::Normal, QIcon::Selected }) { // where there is more room
        QCOMPARE(image(32, mode).pixelColor(4, 4).alpha(), 0);
        QCOMPARE(image(32, mode).pixelColor(22, 22).alpha(), 255);
    }
    QIcon::setThemeSearchPaths(paths);
    QIcon::setThemeName(before);
}

void TstStyle::runColor_staysAndDiffers()
{
    const QColor first = runColor(QStringLiteral("/runs/a"));
    const QColor second = runColor(QStringLiteral("/runs/b"));
    QVERIFY(first != second);
    QCOMPARE(runColor(QStringLiteral("/runs/a")), first);
    for (int i = 0; i < kColorCount; ++i) {
        const double brightness = cycleColor(i).lightnessF();
        QVERIFY2(brightness > 0.25 && brightness < 0.75, qPrintable(cycleColor(i).name()));
    }
}

void TstStyle::runColors_areTheSameAtTheNextStart()
{
    const auto colorsOf = [](const QStringList& paths) {
        QStringList names;
        for (const QString& path : paths)
            names << runColor(path).name();
        return names;
    };
    const QStringList paths { QStringLiteral("/r/a b"), QStringLiteral("/r/c"),
        QStringLiteral("/r/d") };
    const QStringList before = colorsOf(paths);
    const QStringList kept = runColors();
    restoreRunColors({});
    QVERIFY(colorsOf({ QStringLiteral("/r/newer"), paths[1], paths[0], paths[2] }) != before);
    restoreRunColors(kept);
    QCOMPARE(colorsOf(paths), before);
    QVERIFY(!before.contains(runColor(QStringLiteral("/r/newest")).name()));
    restoreRunColors({ QStringLiteral("no colour"), QStringLiteral("99 /r/far") });
    QVERIFY(runColor(QStringLiteral("/r/far")).isValid());
}

EARWRIGHT_TEST(TstStyle)
#include "tst_style.moc"
