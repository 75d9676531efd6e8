#pragma once

#include "ui/utterances/utterance_sound.h"

#include <QObject>
#include <QThread>

class QAudioFormat;

namespace earwright::ui {

/// Plays parts of sound files through the default output. data::readAudio() decodes them in the
/// thread pool; the device is asked in a thread of its own, which the first sound starts. Nobody
/// waits for a sound that is not wanted any more. GUI thread only.
class SoundPlayer final : public QObject {
    Q_OBJECT
public:
    explicit SoundPlayer(QObject* parent = nullptr);
    ~SoundPlayer() override;

    void play(const SoundPlace& place); ///< in place of what plays
    void stop();
    bool isPlaying() const { return m_isPlaying; } ///< also while the file is being read

Q_SIGNALS:
    void playingChanged(bool isPlaying);
    void positionChanged(double seconds); ///< from the part's beginning
    void failed(const QString& message); ///< no device, no such file, …

private:
    class Speaker;

    void setPlaying(bool isPlaying);
    void read(const QAudioFormat& format);
    void fail(const QString& message);

    Speaker* m_speaker = nullptr; ///< lives in m_thread
    QThread m_thread;
    SoundPlace m_place; ///< of the latest sound
    bool m_isPlaying = false;
    int m_number = 0; ///< of the latest sound: what is said of others is dropped
};

} // namespace earwright::ui
