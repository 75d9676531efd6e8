#include "ui/widgets/theme.h"

#include "ui/widgets/style.h"

#include <array>
#include <QApplication>
#include <QIcon>

#ifdef EARWRIGHT_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#else
class QDBusVariant { };
#endif

namespace earwright::ui {
namespace {

const QString kPortalService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");

struct Colors {
    QRgb window, base, alternate, text, muted, button, border, highlight, link;
};

QPalette makePalette(const Colors& c)
{
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.base);
    p.setColor(QPalette::AlternateBase, c.alternate);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.muted);
    p.setColor(QPalette::Button, c.button);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, 0xffffffff);
    p.setColor(QPalette::ToolTipBase, c.alternate);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Highlight, c.highlight);
    p.setColor(QPalette::HighlightedText, 0xffffffff);
    p.setColor(QPalette::Link, c.link);
    p.setColor(QPalette::LinkVisited, c.link);
    p.setColor(QPalette::Light, QColor(c.button).lighter(115));
    p.setColor(QPalette::Midlight, QColor(c.button).lighter(106));
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, QColor(c.border).darker(115));
    p.setColor(QPalette::Shadow, QColor(c.border).darker(180));
    for (QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        p.setColor(QPalette::Disabled, role, c.muted);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    return p;
}

void setIconTheme(bool dark)
{
    QIcon::setThemeName(dark ? QStringLiteral("breeze-dark") : QStringLiteral("breeze"));
}

} // namespace

QPalette lightPalette()
{
    return makePalette({ .window = 0xfff3f4f6,
        .base = 0xffffffff,
        .alternate = 0xfff7f8fa,
        .text = 0xff1f2430,
        .muted = 0xff6b7280,
        .button = 0xffeceef1,
        .border = 0xffc4c9d1,
        .highlight = 0xff2563a8,
        .link = 0xff1d5fb0 });
}

QPalette darkPalette()
{
    return makePalette({ .window = 0xff22262d,
        .base = 0xff1a1d23,
        .alternate = 0xff20242b,
        .text = 0xffe3e6eb,
        .muted = 0xff8d96a5,
        .button = 0xff2d323b,
        .border = 0xff454c58,
        .highlight = 0xff2f6fb8,
        .link = 0xff6cb0f5 });
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Active, QPalette::Text).lightness()
        > palette.color(QPalette::Active, QPalette::Base).lightness();
}

QColor toneColor(Tone tone, const QPalette& palette)
{
    constexpr std::array<QRgb, 6> kLight { 0xff1a7f37, 0xff8a5a00, 0xffc02626, 0xff1d5fb0,
        0xff667080, 0xff2563a8 };
    constexpr std::array<QRgb, 6> kDark { 0xff56c271, 0xffe3b341, 0xffff7b72, 0xff6cb0f5,
        0xff8d96a5, 0xff6cb0f5 };
    return (isDark(palette) ? kDark : kLight)[static_cast<size_t>(tone)];
}

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_desktopDark(isDark(QApplication::palette()))
{
    QIcon::setFallbackThemeName(QStringLiteral("hicolor"));
    QApplication::setStyle(new Style);
    apply();
    askPortal();
}

void Theme::setMode(ThemeMode mode)
{
    m_mode = mode;
    apply();
}

void Theme::setDesktopDark(bool dark)
{
    m_desktopDark = dark;
    if (m_mode == ThemeMode::Auto)
        apply();
}

void Theme::apply()
{
    const bool dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::Auto && m_desktopDark);
    setIconTheme(dark);
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
    Q_EMIT changed();
}

#ifdef EARWRIGHT_DBUS
void Theme::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kPortalService, kPortalPath, kPortalInterface, QStringLiteral("SettingChanged"),
        this, SLOT(onPortalSetting(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(
        kPortalService, kPortalPath, kPortalInterface, QStringLiteral("Read"));
    call << kAppearance << kColorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            onPortalSetting(kAppearance, kColorScheme, reply.value());
        watcher->deleteLater();
    });
}

void Theme::onPortalSetting(const QString& space, const QString& key, const QDBusVariant& value)
{
    if (space != kAppearance || key != kColorScheme)
        return;
    QVariant scheme = value.variant();
    // `Read` wraps the value twice.
    if (scheme.canConvert<QDBusVariant>())
        scheme = scheme.value<QDBusVariant>().variant();
    setDesktopDark(scheme.toUInt() == 1);
}
#else
void Theme::askPortal()
{
}

void Theme::onPortalSetting(const QString&, const QString&, const QDBusVariant&)
{
}
#endif

} // namespace earwright::ui
