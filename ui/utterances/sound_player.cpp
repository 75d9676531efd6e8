#include "ui/utterances/sound_player.h"

#include "core/data/audio.h"
#include "ui/widgets/when_done.h"

#include <QAudioDevice>
#include <QAudioFormat>
#include <QAudioSink>
#include <QBuffer>
#include <QMediaDevices>
#include <QtConcurrentRun>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace earwright::ui {

namespace {

constexpr int kPositionMs = 40;

/// 16 bits a sample, the same in each channel.
QByteArray bytesOf(const std::vector<float>& samples, int channels)
{
    QByteArray bytes;
    bytes.reserve(static_cast<qsizetype>(samples.size()) * channels * 2);
    for (const float sample : samples) {
        const auto value = static_cast<qint16>(
            std::lround(std::clamp(sample, -1.0F, 1.0F) * std::numeric_limits<qint16>::max()));
        for (int channel = 0; channel < channels; ++channel)
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
}

/// A sound as an output takes it.
struct Decoded {
    QByteArray bytes;
    QString error; ///< "" = it was read
};

Decoded decode(const SoundPlace& place, const QAudioFormat& format)
{
    const Result<data::Audio> audio = data::readAudio(place.file, format.sampleRate(), place.part);
    if (!audio)
        return { {}, QString::fromStdString(audio.error().message) };
    return { bytesOf(audio->samples, format.channelCount()), {} };
}

} // namespace

/// Lives in the player's thread, and is asked there alone.
class SoundPlayer::Speaker final : public QObject {
public:
    struct Outlets {
        std::function<void(int number, QAudioFormat format)> open;
        std::function<void(int number)> end;
        std::function<void(int number, double seconds)> position;
        std::function<void(int number, QString message)> fail;
    };

    explicit Speaker(Outlets outlets)
        : m_outlets(std::move(outlets))
        , m_timer(this)
        , m_bytes(this)
    {
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_outlets.position(m_number, static_cast<double>(m_sink->processedUSecs()) / 1e6);
        });
    }

    /// Stops what plays and asks the device how it wants the next sound.
    void open(int number)
    {
        stop();
        m_number = number;
        m_device = QMediaDevices::defaultAudioOutput();
        if (m_device.isNull())
            return m_outlets.fail(number, SoundPlayer::tr("This machine has no sound output."));
        m_format = m_device.preferredFormat();
        m_format.setSampleFormat(QAudioFormat::Int16);
        m_outlets.open(number, m_format);
    }

    /// A sound of that format, after open().
    void play(const QByteArray& bytes)
    {
        m_bytes.setData(bytes);
        m_bytes.open(QIODevice::ReadOnly);
        m_sink = std::make_unique<QAudioSink>(m_device, m_format);
        connect(m_sink.get(), &QAudioSink::stateChanged, this, &Speaker::onState);
        m_timer.start(kPositionMs);
        m_sink->start(&m_bytes);
        if (m_sink && m_sink->error() == QAudio::OpenError)
            refuse();
    }

    void stop()
    {
        m_timer.stop();
        if (m_sink)
            m_sink->disconnect(this);
        m_sink.reset();
        m_bytes.close();
        m_bytes.setData({});
    }

private:
    void onState(QAudio::State state)
    {
        // Idle: all is played, or the device takes nothing for a moment.
        const bool isEnd = state == QAudio::IdleState && m_bytes.atEnd();
        const bool isFailure = state == QAudio::StoppedState && m_sink->error() != QAudio::NoError;
        if (!isEnd && !isFailure)
            return;
        m_timer.stop();
        // The sink may not go while it says so.
        QTimer::singleShot(0, this, [this, isFailure, number = m_number] {
            if (number != m_number || !m_sink)
                return;
            stop();
            isFailure ? m_outlets.fail(number, SoundPlayer::tr("The sound output stopped."))
                      : m_outlets.end(number);
        });
    }

    void refuse()
    {
        stop();
        m_outlets.fail(m_number,
            SoundPlayer::tr("The sound output '%1' cannot be opened.").arg(m_device.description()));
    }

    const Outlets m_outlets;
    QTimer m_timer;
    QBuffer m_bytes;
    QAudioDevice m_device;
    QAudioFormat m_format;
    std::unique_ptr<QAudioSink> m_sink;
    int m_number = 0;
};

SoundPlayer::SoundPlayer(QObject* parent)
    : QObject(parent)
{
    const auto post = [this](int number, auto tell) {
        QMetaObject::invokeMethod(
            this,
            [this, number, tell] {
                if (number == m_number)
                    tell();
            },
            Qt::QueuedConnection);
    };
    Speaker::Outlets outlets;
    outlets.open = [this, post](int number, const QAudioFormat& format) {
        post(number, [this, format] { read(format); });
    };
    outlets.end = [this, post](int number) { post(number, [this] { setPlaying(false); }); };
    outlets.position = [this, post](int number, double seconds) {
        post(number, [this, seconds] { Q_EMIT positionChanged(seconds); });
    };
    outlets.fail = [this, post](int number, const QString& message) {
        post(number, [this, message] { fail(message); });
    };
    m_speaker = new Speaker(std::move(outlets));
    m_speaker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_speaker, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("sound"));
}

SoundPlayer::~SoundPlayer()
{
    if (!m_thread.isRunning()) {
        delete m_speaker;
        return;
    }
    m_thread.quit();
    m_thread.wait();
}

void SoundPlayer::play(const SoundPlace& place)
{
    m_place = place;
    m_thread.start(); // nothing where it runs
    QMetaObject::invokeMethod(
        m_speaker, [speaker = m_speaker, number = ++m_number] { speaker->open(number); },
        Qt::QueuedConnection);
    setPlaying(true);
}

void SoundPlayer::read(const QAudioFormat& format)
{
    const auto work = [place = m_place, format] { return decode(place, format); };
    whenDone(QtConcurrent::run(work), this, [this, number = m_number](const Decoded& decoded) {
        if (number != m_number)
            return; // stopped meanwhile, or another one plays
        if (!decoded.error.isEmpty())
            return fail(decoded.error);
        QMetaObject::invokeMethod(
            m_speaker, [speaker = m_speaker, bytes = decoded.bytes] { speaker->play(bytes); },
            Qt::QueuedConnection);
    });
}

void SoundPlayer::fail(const QString& message)
{
    setPlaying(false);
    Q_EMIT failed(message);
}

void SoundPlayer::stop()
{
    if (!m_isPlaying)
        return;
    ++m_number;
    QMetaObject::invokeMethod(
        m_speaker, [speaker = m_speaker] { speaker->stop(); }, Qt::QueuedConnection);
    setPlaying(false);
}

void SoundPlayer::setPlaying(bool isPlaying)
{
    if (std::exchange(m_isPlaying, isPlaying) != isPlaying)
        Q_EMIT playingChanged(isPlaying);
}

} // namespace earwright::ui
