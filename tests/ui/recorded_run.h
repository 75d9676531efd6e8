#pragma once

#include "core/run/snapshot.h"

#include <QFile>
#include <QString>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

/// One event of a recording (tests/cases/ui/README.md) and the rank it came from.
struct RecordedEvent {
    int64_t rank = 0;
    earwright::run::Event event;
};

inline double recordedNumber(const QByteArray& text)
{
    return text.toDouble(); // knows "inf" and "nan"
}

inline RecordedEvent parseRecorded(const QByteArray& line)
{
    const qsizetype first = line.indexOf(' ');
    const qsizetype second = line.indexOf(' ', first + 1);
    const QByteArray rest = line.mid(second + 1).trimmed();
    RecordedEvent recorded { line.mid(first + 1, second - first - 1).toLongLong(),
        { line.left(first).toDouble(), {} } };
    if (rest.startsWith('{')) {
        earwright::Result<earwright::run::Payload> payload
            = earwright::run::payloadFromJson(rest.toStdString());
        if (!payload)
            qFatal("%s", payload.error().message.c_str());
        recorded.event.payload = *payload;
    } else {
        const QList<QByteArray> fields = rest.split(' ');
        recorded.event.payload = earwright::run::Scalar { fields.at(0).toStdString(),
            fields.at(1).toLongLong(), recordedNumber(fields.at(2)) };
    }
    return recorded;
}

inline std::vector<RecordedEvent> readRecording(const QString& name)
{
    QFile file(QStringLiteral(EARWRIGHT_CASES_DIR "/ui/%1.events").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read '%s'", qPrintable(file.fileName()));
    std::vector<RecordedEvent> events;
    while (!file.atEnd())
        events.push_back(parseRecorded(file.readLine()));
    return events;
}

/// The first `count` events of a recording folded as the window folds a live run.
inline earwright::run::Snapshot foldRecording(const QString& name, size_t count = SIZE_MAX)
{
    earwright::run::Snapshot snapshot;
    const std::vector<RecordedEvent> events = readRecording(name);
    for (size_t i = 0; i < std::min(count, events.size()); ++i)
        earwright::run::fold(snapshot, events[i].rank, events[i].event);
    return snapshot;
}

inline std::shared_ptr<const earwright::run::Snapshot> sharedSnapshot(
    earwright::run::Snapshot snapshot)
{
    return std::make_shared<const earwright::run::Snapshot>(std::move(snapshot));
}
