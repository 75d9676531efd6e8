#include "ui/utterances/sound_view.h"

#include "ui/widgets/plot_theme.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QPainter>

namespace earwright::ui {

namespace {

constexpr int kSoundMargin = 6;
constexpr double kWaveShare = 0.4; ///< of the height

/// From the palette's base to its text, so that the loudest has the most contrast in both themes.
QList<QRgb> spectrogramColors(const QPalette& palette)
{
    QList<QRgb> colors;
    for (int level = 0; level < 256; ++level)
        colors << mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), level / 255.0)
                      .rgb();
    return colors;
}

} // namespace

SoundView::SoundView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("sound"));
    setAccessibleName(tr("Waveform and spectrogram of the utterance"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

bool SoundView::hasSound() const
{
    return m_sound && !m_sound->wave.empty();
}

void SoundView::setSound(const UtteranceSoundPtr& sound)
{
    m_sound = sound;
    m_message = sound ? sound->error : QString();
    m_position = -1;
    describe();
}

void SoundView::setMessage(const QString& message)
{
    m_message = message;
    describe();
}

void SoundView::setPlayError(const QString& error)
{
    m_playError = error;
    describe();
}

QString SoundView::message() const
{
    return m_message.isEmpty() || m_playError.isEmpty() ? m_message + m_playError
                                                        : m_message + u'\n' + m_playError;
}

void SoundView::describe()
{
    QStringList parts { message() };
    if (hasSound())
        parts.prepend(
            tr("%1 s at %2 Hz").arg(m_sound->seconds, 0, 'f', 2).arg(m_sound->sampleRateHz));
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(u'\n'));
    update();
}

void SoundView::setPosition(double seconds)
{
    m_position = seconds;
    update();
}

void SoundView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!hasSound())
        return paintMessage(painter);
    QRect place = rect().adjusted(kSoundMargin, kSoundMargin, -kSoundMargin, 0);
    place.setBottom(rect().bottom() - fontMetrics().height() - 2);
    QRect wave = place;
    wave.setHeight(static_cast<int>(kWaveShare * place.height()));
    QRect spectrogram = place;
    spectrogram.setTop(wave.bottom() + 3);
    paintWave(painter, wave);
    paintSpectrogram(painter, spectrogram);
    paintPosition(painter, place);
    paintSeconds(painter, place);
}

void SoundView::paintMessage(QPainter& painter) const
{
    painter.setPen(toneColor(Tone::Muted, palette()));
    QTextOption option(Qt::AlignCenter);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    painter.drawText(
        QRectF(rect()).adjusted(kSoundMargin, kSoundMargin, -kSoundMargin, -kSoundMargin),
        message(), option);
}

void SoundView::paintWave(QPainter& painter, const QRect& place) const
{
    painter.setPen(toneColor(Tone::Accent, palette()));
    const auto& wave = m_sound->wave;
    float highest = 1e-4F;
    for (const UtteranceSound::Extent& extent : wave)
        highest = std::max({ highest, extent.high, -extent.low });
    const double half = place.height() / 2.0;
    const auto yOf = [&](float sample) { return place.top() + half - half * sample / highest; };
    const auto count = static_cast<int>(wave.size());
    for (int x = 0; x < place.width(); ++x) {
        const int from = x * count / place.width();
        const int to = std::max(from + 1, (x + 1) * count / place.width());
        UtteranceSound::Extent extent = wave[static_cast<size_t>(from)];
        for (int i = from; i < to; ++i) {
            extent.low = std::min(extent.low, wave[static_cast<size_t>(i)].low);
            extent.high = std::max(extent.high, wave[static_cast<size_t>(i)].high);
        }
        painter.drawLine(QPointF(place.left() + x, yOf(extent.high)),
            QPointF(place.left() + x, yOf(extent.low)));
    }
}

void SoundView::paintSpectrogram(QPainter& painter, const QRect& place) const
{
    QImage image = m_sound->spectrogram;
    image.setColorTable(spectrogramColors(palette()));
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(place, image.convertToFormat(QImage::Format_RGB32));
}

void SoundView::paintSeconds(QPainter& painter, const QRect& place) const
{
    const QRect below(
        place.left(), place.bottom() + 1, place.width(), rect().bottom() - place.bottom());
    if (!m_playError.isEmpty()) {
        painter.setPen(toneColor(Tone::Bad, palette()));
        painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(m_playError, Qt::ElideRight, below.width()));
        return;
    }
    painter.setPen(toneColor(Tone::Muted, palette()));
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, tr("0 s"));
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter,
        tr("0 to %1 kHz").arg(m_sound->sampleRateHz / 2000.0));
    painter.drawText(
        below, Qt::AlignRight | Qt::AlignVCenter, tr("%1 s").arg(m_sound->seconds, 0, 'f', 2));
}

void SoundView::paintPosition(QPainter& painter, const QRect& place) const
{
    if (m_position < 0)
        return;
    const double share = std::min(1.0, m_position / m_sound->seconds);
    const double x = place.left() + share * place.width();
    painter.setPen(QPen(toneColor(Tone::Bad, palette()), 2));
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
}

QSize SoundView::minimumSizeHint() const
{
    return { 120, 70 };
}

QSize SoundView::sizeHint() const
{
    return { 420, 150 };
}

} // namespace earwright::ui
