#include "ui/utterances/utterance_panel.h"

#include "ui/utterances/alignment_view.h"
#include "ui/utterances/sound_player.h"
#include "ui/utterances/sound_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/when_done.h"

#include <cmath>
#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QtConcurrentRun>
#include <QVBoxLayout>

namespace earwright::ui {

namespace {

constexpr int kSoundDelayMs = 60;

/// "utt-1 · anna · 3.20 s"
QString utteranceTitle(const UtteranceRow& row)
{
    QStringList parts { row.id };
    if (!row.speaker.isEmpty())
        parts << row.speaker;
    if (row.seconds >= 0)
        parts << UtterancePanel::tr("%1 s").arg(row.seconds, 0, 'f', 2);
    if (!row.missed.isEmpty())
        parts << UtterancePanel::tr("missed: %1").arg(row.missed.join(QStringLiteral(", ")));
    return parts.join(QStringLiteral("  ·  "));
}

std::vector<Alignment> alignmentsOf(
    const UtteranceSet& set, const UtteranceRow& row, AlignmentUnit unit)
{
    const bool haveWords = set.rate != u"CER";
    const QString& heard = set.isManifest ? row.reference : row.hypothesis;
    std::vector<Alignment> alignments { align(
        row.reference, heard, unit, haveWords, set.wordSplit) };
    if (!std::isnan(row.difference)) { // the other evaluation has it too
        alignments.front().title = QStringLiteral("A");
        alignments.push_back(
            align(row.reference, row.otherHypothesis, unit, haveWords, set.wordSplit));
        alignments.back().title = QStringLiteral("B");
    }
    return alignments;
}

} // namespace

UtterancePanel::UtterancePanel(QAction* play, QWidget* parent)
    : QWidget(parent)
    , m_alignment(new AlignmentView(this))
    , m_sound(new SoundView(this))
    , m_player(new SoundPlayer(this))
    , m_title(new ElidedLabel(this))
    , m_byCharacter(new QCheckBox(tr("B&y characters"), this))
    , m_play(new QPushButton(this))
{
    m_soundDelay.setSingleShot(true);
    m_soundDelay.setInterval(kSoundDelayMs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(buildBar(play));
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_alignment);
    splitter->addWidget(m_sound);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    column->addWidget(splitter, 1);
    connectParts();
}

QWidget* UtterancePanel::buildBar(QAction* play)
{
    auto* bar = new QWidget(this);
    m_bar = new QHBoxLayout(bar);
    m_bar->setContentsMargins(0, 0, 0, 0);
    m_title->setObjectName(QStringLiteral("utteranceTitle"));
    m_byCharacter->setObjectName(QStringLiteral("byCharacters"));
    m_byCharacter->setToolTip(tr("Align the texts character by character"));
    m_play->setObjectName(QStringLiteral("play"));
    m_play->setText(tr("&Play"));
    m_play->setIcon(icon(QStringLiteral("media-playback-start")));
    m_play->setToolTip(tr("Play or stop the sound (Space in the table)"));
    if (play)
        connect(m_play, &QPushButton::clicked, play, &QAction::trigger);
    else
        connect(m_play, &QPushButton::clicked, this, &UtterancePanel::togglePlaying);
    m_bar->addWidget(m_title, 1);
    m_bar->addWidget(m_byCharacter);
    m_bar->addWidget(m_play);
    return bar;
}

void UtterancePanel::addToBar(QWidget* widget)
{
    m_bar->insertWidget(m_bar->indexOf(m_play), widget);
}

void UtterancePanel::connectParts()
{
    connect(m_byCharacter, &QCheckBox::toggled, this, &UtterancePanel::showAlignment);
    connect(&m_soundDelay, &QTimer::timeout, this, &UtterancePanel::readSound);
    connect(m_player, &SoundPlayer::positionChanged, m_sound, &SoundView::setPosition);
    connect(m_player, &SoundPlayer::failed, m_sound, &SoundView::setPlayError);
    connect(m_player, &SoundPlayer::playingChanged, this, [this](bool isPlaying) {
        m_play->setText(isPlaying ? tr("Sto&p") : tr("&Play"));
        m_play->setIcon(icon(isPlaying ? QStringLiteral("media-playback-stop")
                                       : QStringLiteral("media-playback-start")));
        isPlaying ? m_sound->setPlayError({}) : m_sound->setPosition(-1);
    });
}

const UtteranceRow* UtterancePanel::utterance() const
{
    return m_set && m_row >= 0 ? &m_set->rows[static_cast<size_t>(m_row)] : nullptr;
}

void UtterancePanel::setUtterance(const UtteranceSetPtr& set, int row)
{
    m_set = set;
    m_row = row;
    const UtteranceRow* shown = utterance();
    m_title->setText(shown ? utteranceTitle(*shown) : QString());
    m_byCharacter->setVisible(!set || set->rate != u"CER"); // where all is by characters anyway
    m_play->setEnabled(shown != nullptr);
    showAlignment();
    showSound();
}

void UtterancePanel::showAlignment()
{
    const int number = ++m_alignmentNumber;
    if (!utterance())
        return m_alignment->setAlignments({});
    const AlignmentUnit unit
        = m_byCharacter->isChecked() ? AlignmentUnit::Character : AlignmentUnit::Word;
    const auto work = [set = m_set, row = m_row, unit] {
        return alignmentsOf(*set, set->rows[static_cast<size_t>(row)], unit);
    };
    whenDone(QtConcurrent::run(work), this, [this, number](std::vector<Alignment> alignments) {
        if (number == m_alignmentNumber)
            m_alignment->setAlignments(std::move(alignments));
    });
}

void UtterancePanel::showSound()
{
    const UtteranceRow* shown = utterance();
    const SoundPlace place = shown ? soundPlaceOf(*m_set, *shown) : SoundPlace {};
    if (place == m_place && !place.file.empty())
        return; // another epoch's text of the same sound
    m_player->stop();
    m_soundDelay.stop();
    ++m_soundNumber;
    m_place = place;
    m_sound->setSound(nullptr);
    m_sound->setPlayError({});
    if (!shown)
        return;
    if (place.file.empty())
        return m_sound->setMessage(
            tr("The run kept no path of this sound: older versions kept none."));
    m_sound->setMessage(tr("Reading the sound…"));
    m_soundDelay.start();
}

void UtterancePanel::readSound()
{
    const auto read = [place = m_place] { return readUtteranceSound(place); };
    whenDone(QtConcurrent::run(read), this,
        [this, number = m_soundNumber](const UtteranceSoundPtr& sound) {
            if (number == m_soundNumber)
                m_sound->setSound(sound);
        });
}

void UtterancePanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_player->stop(); // what cannot be seen cannot be stopped
}

void UtterancePanel::togglePlaying()
{
    if (m_player->isPlaying())
        m_player->stop();
    else if (!m_place.file.empty())
        m_player->play(m_place);
}

} // namespace earwright::ui
