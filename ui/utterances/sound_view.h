#pragma once

#include "ui/utterances/utterance_sound.h"

#include <QWidget>

namespace earwright::ui {

/// An utterance's waveform above its spectrogram, from its beginning to its end, with a line where
/// it is played; where there is no sound, why. GUI thread only.
class SoundView final : public QWidget {
    Q_OBJECT
public:
    explicit SoundView(QWidget* parent = nullptr);

    void setSound(const UtteranceSoundPtr& sound); ///< null = none
    const UtteranceSoundPtr& sound() const { return m_sound; }
    void setMessage(const QString& message); ///< in place of a sound that is not there
    void setPlayError(const QString& error); ///< why it is not played; "" = nothing to say
    QString message() const; ///< what is said: the message, and below it the player's error
    void setPosition(double seconds); ///< negative = it is not played

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool hasSound() const;
    void describe();
    void paintMessage(QPainter& painter) const;
    void paintWave(QPainter& painter, const QRect& place) const;
    void paintSpectrogram(QPainter& painter, const QRect& place) const;
    void paintPosition(QPainter& painter, const QRect& place) const;
    void paintSeconds(QPainter& painter, const QRect& place) const;

    UtteranceSoundPtr m_sound;
    QString m_message;
    QString m_playError;
    double m_position = -1;
};

} // namespace earwright::ui
