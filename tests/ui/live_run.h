#pragma once

#include "core/run/control.h"
#include "tests/ui/run_folders.h"

#include <QMutex>
#include <unistd.h>

/// A run that looks at work: this process is its supervisor and notes what it is told.
class LiveRun final {
public:
    LiveRun(const QString& runsRoot, const QString& name)
        : m_path(QString::fromStdString(writePlannedRun(runsRoot, name).path.string()))
    {
        log({ 0, kymo::run::RunStarted { .name = name.toStdString(), .devices = { "cpu" } } });
        log({ 0, kymo::run::Scalar { "train/loss", 1, 2.5 } });
        auto server = kymo::run::ControlServer::listen([this](const std::string& request) {
            const QMutexLocker locker(&m_mutex);
            m_told << QString::fromStdString(request);
            return std::string(R"({"ok": true})");
        });
        if (!server)
            qFatal("%s", server.error().message.c_str());
        m_server = std::move(*server);
        const kymo::Status locked = kymo::run::writeLock({ m_path.toStdString() },
            { .pid = ::getpid(),
                .processStartTicks = kymo::run::processStartTicks(::getpid()),
                .socket = m_server->socketPath(),
                .host = kymo::run::hostName() });
        if (!locked)
            qFatal("%s", locked.error().message.c_str());
    }
    ~LiveRun() { kymo::run::removeLock({ m_path.toStdString() }); }

    QString path() const { return m_path; }
    /// As its only rank logs it.
    void log(const kymo::run::Event& event) const
    {
        auto writer = kymo::run::EventWriter::open(
            kymo::run::RunFolder { m_path.toStdString() }.events(0), 0);
        if (!writer)
            qFatal("%s", writer.error().message.c_str());
        (*writer)->write(event);
    }
    /// One after the other, as JSON.
    QStringList told() const
    {
        const QMutexLocker locker(&m_mutex);
        return m_told;
    }

private:
    QString m_path;
    mutable QMutex m_mutex;
    QStringList m_told;
    std::unique_ptr<kymo::run::ControlServer> m_server;
};
