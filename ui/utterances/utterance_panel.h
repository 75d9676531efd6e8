#pragma once

#include "ui/utterances/alignment.h"
#include "ui/utterances/utterance_set.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QCheckBox;
class QLabel;
class QHBoxLayout;
class QPushButton;

namespace earwright::ui {

class AlignmentView;
class SoundPlayer;
class SoundView;

/// One utterance: what was said and what was recognised token by token, and its sound, to be seen
/// and heard. GUI thread only: alignments and sounds are made in the thread pool.
class UtterancePanel final : public QWidget {
    Q_OBJECT
public:
    /// `play`: plays, and stops what plays.
    explicit UtterancePanel(QAction* play, QWidget* parent = nullptr);

    /// A row of a set; -1 = none. What plays stops where it is another utterance.
    void setUtterance(const UtteranceSetPtr& set, int row);
    void togglePlaying();
    void addToBar(QWidget* widget); ///< before the button that plays

protected:
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildBar(QAction* play);
    void connectParts();
    const UtteranceRow* utterance() const;
    void showAlignment();
    void showSound();
    void readSound();

    AlignmentView* m_alignment;
    SoundView* m_sound;
    SoundPlayer* m_player;
    QLabel* m_title;
    QCheckBox* m_byCharacter;
    QPushButton* m_play;
    QHBoxLayout* m_bar = nullptr;
    QTimer m_soundDelay; ///< who walks through the rows does not open every file
    UtteranceSetPtr m_set;
    int m_row = -1;
    SoundPlace m_place; ///< of the sound that is shown
    int m_alignmentNumber = 0;
    int m_soundNumber = 0;
};

} // namespace earwright::ui
