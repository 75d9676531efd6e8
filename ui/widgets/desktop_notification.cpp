#include "ui/widgets/desktop_notification.h"

#ifdef EARWRIGHT_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QGuiApplication>
#include <QVariantMap>
#endif

namespace earwright::ui {

#ifdef EARWRIGHT_DBUS
/// Arguments as the Desktop Notifications Specification 1.2 lists them.
void showOnDesktop(const QString& title, const QString& text)
{
    constexpr qsizetype kMostLetters = 300; // a bubble is no log
    constexpr uint kNew = 0;
    constexpr int kAsTheDesktopLikes = -1;
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    const QString body = text.size() > kMostLetters ? text.first(kMostLetters) + u'…' : text;
    QDBusMessage call
        = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"),
            QStringLiteral("/org/freedesktop/Notifications"),
            QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    const QVariantMap hints { { QStringLiteral("desktop-entry"),
        QGuiApplication::desktopFileName() } };
    call << QGuiApplication::applicationDisplayName() << kNew << QStringLiteral("earwright")
         << title << body.toHtmlEscaped() // a body may hold markup
         << QStringList() << hints << kAsTheDesktopLikes;
    bus.send(call);
}
#else
void showOnDesktop(const QString&, const QString&)
{
}
#endif

} // namespace earwright::ui
