#include "ui/session/session_keeper.h"

namespace earwright::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kKeepingInterval = 2000ms;

} // namespace

SessionKeeper::SessionKeeper(std::function<SessionState()> state, QObject* parent)
    : QObject(parent)
    , m_state(std::move(state))
{
    m_disk.setMaxThreadCount(1);
    connect(&m_timer, &QTimer::timeout, this, &SessionKeeper::keepChange);
}

void SessionKeeper::start()
{
    m_timer.start(kKeepingInterval);
}

void SessionKeeper::keepNow()
{
    m_timer.stop();
    keepChange();
    m_disk.waitForDone();
}

void SessionKeeper::keepChange()
{
    SessionState state = m_state();
    if (state == m_kept)
        return;
    m_disk.start([state] { saveSessionState(state); });
    m_kept = std::move(state);
}

} // namespace earwright::ui
