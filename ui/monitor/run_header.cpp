#include "ui/monitor/run_header.h"

#include "core/run/test_scores.h"
#include "ui/monitor/run_facts.h"
#include "ui/runs/run_state.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {

namespace {

const QString kNone = QStringLiteral("–");

QFont scaledFont(const QFont& font, double factor, bool isBold)
{
    QFont result = font;
    result.setPointSizeF(font.pointSizeF() * factor);
    result.setBold(isBold);
    return result;
}

QString ofTotal(int64_t count, int64_t total)
{
    return total > 0 ? QStringLiteral("%1 / %2").arg(count).arg(total) : QString::number(count);
}

QString percentText(double value)
{
    return QString::number(value, 'f', 2) + QStringLiteral(" %");
}

/// The rate that counts in a run's latest evaluation; nothing is known before the first.
QString knownRate(const run::Snapshot& snapshot)
{
    return snapshot.evaluations.empty() ? RunHeader::tr("error rate")
                                        : QString::fromStdString(snapshot.evaluations.back().rate);
}

/// Of a run whose ranks said nothing of their setting.
QString noSettingText(run::State state)
{
    return isOver(state) ? RunHeader::tr("It ended before its ranks were ready.")
                         : RunHeader::tr("Waiting for the run's first event…");
}

} // namespace

RunHeader::RunHeader(QWidget* parent)
    : QFrame(parent)
    , m_dot(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_state(new QLabel(this))
    , m_setting(new ElidedLabel(this))
    , m_proof(new ElidedLabel(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(icon(QStringLiteral("media-playback-stop")), tr("St&op"), this))
    , m_resume(new QPushButton(icon(QStringLiteral("media-playback-start")), tr("Resu&me"), this))
{
    setObjectName(QStringLiteral("runHeader"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(8);
    layout->addWidget(buildTitle());
    layout->addWidget(m_progress);
    layout->addWidget(buildFigures());
    connect(m_stop, &QPushButton::clicked, this, &RunHeader::stopRequested);
    connect(m_resume, &QPushButton::clicked, this, &RunHeader::resumeRequested);
}

QWidget* RunHeader::buildTitle()
{
    auto* title = new QWidget(this);
    auto* grid = new QGridLayout(title);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    m_name->setFont(scaledFont(font(), 1.35, true));
    m_name->setObjectName(QStringLiteral("runName"));
    m_state->setFont(scaledFont(font(), 1.0, true));
    m_state->setObjectName(QStringLiteral("runState"));
    m_setting->setObjectName(QStringLiteral("runSetting"));
    m_setting->setForegroundRole(QPalette::PlaceholderText);
    m_proof->setObjectName(QStringLiteral("precisionProof"));
    m_proof->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_progress->setObjectName(QStringLiteral("runProgress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    m_progress->setAccessibleName(tr("Progress"));
    m_stop->setObjectName(QStringLiteral("stop"));
    m_stop->setToolTip(
        tr("Ends after the step in progress and writes a checkpoint to resume from."));
    m_resume->setObjectName(QStringLiteral("resume"));
    m_resume->setToolTip(tr("Goes on from the latest checkpoint."));
    auto* first = new QHBoxLayout;
    first->setSpacing(10);
    first->addWidget(m_name, 1);
    first->addWidget(m_state);
    first->addWidget(m_stop);
    first->addWidget(m_resume);
    auto* second = new QHBoxLayout;
    second->setSpacing(10);
    second->addWidget(m_setting, 1);
    second->addWidget(m_proof);
    grid->addWidget(m_dot, 0, 0);
    grid->addLayout(first, 0, 1);
    grid->addLayout(second, 1, 1);
    return title;
}

QWidget* RunHeader::buildFigures()
{
    const std::array<QString, FigureCount> captions { tr("Epoch"), tr("Step"), tr("Speed"),
        tr("Elapsed"), tr("Remaining"), tr("Train loss"), QString(), QString() };
    const std::array<const char*, FigureCount> names { "epoch", "step", "speed", "elapsed",
        "remaining", "trainLoss", "bestWer", "testWer" };
    auto* figures = new QWidget(this);
    auto* rows = new FlowLayout(FlowLayout::Rows::Even, { 10, 6 }, figures);
    for (size_t i = 0; i < FigureCount; ++i)
        rows->addWidget(buildFigure(static_cast<Figure>(i), captions[i], names[i]));
    return figures;
}

QWidget* RunHeader::buildFigure(Figure figure, const QString& caption, const char* name)
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_captions[figure] = new ElidedLabel(box);
    m_captions[figure]->setText(caption);
    m_captions[figure]->setFont(scaledFont(font(), 0.88, false));
    m_captions[figure]->setForegroundRole(QPalette::PlaceholderText);
    m_figures[figure] = new ElidedLabel(box);
    m_figures[figure]->setText(kNone);
    m_figures[figure]->setFont(scaledFont(font(), 1.15, true));
    m_figures[figure]->setObjectName(QLatin1String(name));
    m_figures[figure]->setAccessibleName(caption);
    m_captions[figure]->setBuddy(m_figures[figure]);
    column->addWidget(m_captions[figure]);
    column->addWidget(m_figures[figure]);
    return box;
}

void RunHeader::setRun(const QString& runPath, const QString& capsule)
{
    m_capsule = capsule;
    setName(runPath);
    m_setting->setText(noSettingText(run::State::Unknown));
    m_proof->clear();
    m_progress->setRange(0, 1);
    m_progress->setValue(0);
    setFigures({});
    for (QLabel* figure : m_figures)
        figure->setText(kNone);
    setState(run::State::Unknown);
}

/// Its title in the list of runs.
void RunHeader::setName(const QString& runPath)
{
    m_runPath = runPath;
    m_name->setText(nameWithoutTime(QFileInfo(runPath).fileName()));
}

void RunHeader::setSnapshot(const QString& runPath, const run::Snapshot& snapshot)
{
    setName(runPath);
    const QString setting = settingOf(snapshot.started);
    m_setting->setText(setting.isEmpty() ? noSettingText(snapshot.state) : setting);
    const PrecisionProof proof = precisionProof(snapshot, "train");
    const bool isKnown = proof.share || !isOver(snapshot.state);
    m_proof->setText(isKnown ? proofText(proof) : QString());
    m_isProofBad = proof.share && !proof.holds();
    setState(snapshot.state);
    setProgress(snapshot);
    setFigures(snapshot);
}

QString RunHeader::settingOf(const run::RunStarted& started) const
{
    const QString recipe = QString::fromStdString(started.name);
    QStringList setting;
    if (!m_capsule.isEmpty())
        setting.append(tr("capsule %1").arg(QFileInfo(m_capsule).fileName()));
    if (!recipe.isEmpty() && recipe != m_name->text())
        setting.append(tr("recipe %1").arg(recipe));
    setting.append(QString::fromStdString(started.precision));
    if (started.evalPrecision != started.precision)
        setting.append(tr("evaluated in %1").arg(QString::fromStdString(started.evalPrecision)));
    setting.append(devicesText(started.devices));
    setting.append(parametersText(started));
    if (started.attempt > 0)
        setting.append(tr("resumed at step %1").arg(started.resumedStep));
    setting.removeAll(QString());
    return setting.join(QStringLiteral("  ·  "));
}

void RunHeader::setState(run::State state)
{
    m_shownState = state;
    m_state->setText(stateText(state));
    m_stop->setEnabled(state != run::State::Stopping);
    m_stop->setVisible(isLive(state));
    m_resume->setVisible(isOver(state) && state != run::State::Done && m_capsule.isEmpty());
    recolor();
}

void RunHeader::setProgress(const run::Snapshot& snapshot)
{
    const int64_t total = std::max<int64_t>(1, snapshot.totalSteps);
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(1000 * std::min(snapshot.step, total) / total));
    m_progress->setToolTip(plainTip(QString::fromStdString(snapshot.phase)));
}

void RunHeader::setFigures(const run::Snapshot& snapshot)
{
    const auto best = bestValidation(snapshot);
    const auto loss = latestValue(snapshot, "train/loss");
    const bool isPaused = snapshot.state == run::State::Paused;
    const bool isGoing = !isOver(snapshot.state) && !isPaused;
    m_figures[Epoch]->setText(ofTotal(snapshot.epoch, snapshot.started.numberOfEpochs));
    m_figures[Step]->setText(ofTotal(snapshot.step, snapshot.totalSteps));
    m_figures[Speed]->setText(snapshot.itPerSecond > 0 && !isPaused
            ? tr("%1 it/s").arg(snapshot.itPerSecond, 0, 'f', 2)
            : kNone);
    m_figures[Elapsed]->setText(
        snapshot.startTime > 0 ? durationText(snapshot.workSeconds) : kNone);
    m_figures[Remaining]->setText(
        isGoing && snapshot.etaSeconds >= 0 ? durationText(snapshot.etaSeconds) : kNone);
    m_figures[TrainLoss]->setText(loss ? valueText(*loss) : kNone);
    // Of the best checkpoint, which min_key may have chosen by another figure.
    showRate(BestWer, best ? std::vector { *best } : std::vector<run::Evaluated>(), snapshot,
        tr("Valid %1 of best"));
    showRate(TestWer, run::testScores(snapshot), snapshot, tr("Test %1"));
}

/// The rate that counts under its name, of several tests one beside the other; both in the tip,
/// with what is known of the hotwords.
void RunHeader::showRate(Figure figure, const std::vector<run::Evaluated>& scores,
    const run::Snapshot& snapshot, const QString& caption)
{
    const QString rate
        = scores.empty() ? knownRate(snapshot) : QString::fromStdString(scores.front().rate);
    QStringList shown, tips;
    for (const run::Evaluated& score : scores) {
        shown.append(percentText(score.percent()));
        tips.append(scoreTip(score, snapshot));
    }
    m_captions[figure]->setText(caption.arg(rate));
    m_figures[figure]->setAccessibleName(caption.arg(rate));
    m_figures[figure]->setText(shown.isEmpty() ? kNone : shown.join(QStringLiteral(" · ")));
    m_figures[figure]->setToolTip(plainTip(tips.join(QLatin1Char('\n'))));
}

void RunHeader::recolor()
{
    const auto paint = [this](QLabel* label, const QColor& color) {
        QPalette colors = palette();
        colors.setColor(label->foregroundRole(), color);
        label->setPalette(colors);
    };
    m_dot->setPixmap(colorDot(runColor(m_runPath), 14, devicePixelRatioF()));
    paint(m_state, stateColor(m_shownState, palette()));
    paint(m_proof, toneColor(m_isProofBad ? Tone::Bad : Tone::Muted, palette()));
}

void RunHeader::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_runPath.isEmpty())
        recolor();
}

} // namespace earwright::ui
