#include "ui/session/quit_signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <QSocketNotifier>
#include <sys/socket.h>
#include <unistd.h>

namespace earwright::ui {
namespace {

// A signal handler may do little more than write: the other end wakes the event loop.
std::array<int, 2> ends { -1, -1 };

void tell(int)
{
    const int before = errno;
    const char byte = 0;
    (void)!::write(ends[0], &byte, 1);
    errno = before;
}

void handle(int signal)
{
    struct sigaction action { };
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = {};
    action.sa_handler = tell;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    ::sigaction(signal, &action, nullptr);
}

} // namespace

QuitSignals::QuitSignals(QObject* parent)
    : QObject(parent)
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return; // signals end the program as they would without this
    auto* notifier = new QSocketNotifier(ends[1], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        (void)!::read(ends[1], &byte, 1);
        Q_EMIT received();
    });
    for (const int signal : { SIGTERM, SIGINT, SIGHUP })
        handle(signal);
}

} // namespace earwright::ui
