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
        log({ 0, earwright::run::RunStarted { .name = name.toStdString(), .devices = { "cpu" } } });
        log({ 0, earwright::run::Scalar { "train/loss", 1, 2.5 } });
        auto server = earwright::run::ControlServer::listen([this](const std::string& request) {
            const QMutexLocker locker(&m_mutex);
            m_told << QString::fromStdString(request);
            return std::string(R"({"ok": true})");
        });
        if (!server)
            qFatal("%s", server.error().message.c_str());
        m_server = std::move(*server);
        const earwright::Status locked = earwright::run::writeLock({ m_path.toStdString() },
            { .pid = ::getpid(),
                .processStartTicks = earwright::run::processStartTicks(::getpid()),
                .socket = m_server->socketPath(),
                .host = earwright::run::hostName() });
        if (!locked)
            qFatal("%s", locked.error().message.c_str());
    }
    ~LiveRun() { earwright::run::removeLock({ m_path.toStdString() }); }

    QString path() const { return m_path; }
    /// As its only rank logs it.
    void log(const earwright::run::Event& event) const
    {
        auto writer = earwright::run::EventWriter::open(
            earwright::run::RunFolder { m_path.toStdString() }.events(0), 0);
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
    std::unique_ptr<earwright::run::ControlServer> m_server;
};
