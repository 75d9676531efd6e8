#include "core/lsp/serve.h"

#include "core/lsp/framing.h"
#include "core/lsp/server.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace earwright::lsp {
namespace {

/// The server, its output and its checking thread.
class Session final {
public:
    Session(std::ostream& out, const check::Machine& machine, check::FileRule tokenRule)
        : m_out(out)
        , m_server(machine, tokenRule)
        , m_checker([this] { checkLoop(); })
    {
    }
    ~Session()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_isOver = true;
        }
        m_wake.notify_one();
        m_checker.join();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// False after `exit`.
    bool handle(const std::string& text)
    {
        const std::lock_guard lock(m_mutex);
        write(m_server.handleText(text));
        m_wake.notify_one();
        return !m_server.isExited();
    }

    int exitCode()
    {
        const std::lock_guard lock(m_mutex);
        return m_server.isExited() ? m_server.exitCode() : 1;
    }

private:
    void checkLoop()
    {
        std::unique_lock lock(m_mutex);
        while (true) {
            std::optional<CheckJob> job;
            m_wake.wait(lock, [&] { return m_isOver || (job = m_server.takeJob()); });
            if (m_isOver)
                return;
            lock.unlock();
            auto analysed = language::analyse(job->request, m_server.machine(), job->previous);
            lock.lock();
            write(m_server.finish(*job, std::move(analysed)));
        }
    }

    void write(const std::vector<Json>& messages)
    {
        for (const Json& message : messages)
            writeMessage(m_out, message);
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;

    // Guarded by m_mutex
    std::ostream& m_out;
    Server m_server;
    bool m_isOver = false;

    std::thread m_checker; ///< last: it uses all above
};

} // namespace

int serveLsp(
    std::istream& in, std::ostream& out, const check::Machine& machine, check::FileRule tokenRule)
{
    Session session(out, machine, tokenRule);
    while (const auto text = readMessage(in))
        if (!session.handle(*text))
            break;
    return session.exitCode();
}

} // namespace earwright::lsp
