#include "ui/launch/resume_dialog.h"

#include "core/plan/revisable.h"
#include "ui/widgets/text_tone.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>

namespace earwright::ui {
namespace {

constexpr int kMostEpochs = 1000000;

int asSpinValue(int64_t value)
{
    return static_cast<int>(std::clamp<int64_t>(value, 0, kMostEpochs));
}

} // namespace

ResumeDialog::ResumeDialog(int64_t epochs, int64_t reached, QWidget* parent)
    : QDialog(parent)
    , m_epochs(new QSpinBox(this))
    , m_others(new QLineEdit(this))
    , m_problem(new QLabel(this))
    , m_before(asSpinValue(std::max(epochs, reached)))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("resumeDialog"));
    m_epochs->setObjectName(QStringLiteral("epochs"));
    m_epochs->setRange(asSpinValue(reached), kMostEpochs);
    m_epochs->setValue(m_before);
    m_epochs->selectAll();
    m_others->setObjectName(QStringLiteral("otherSettings"));
    m_others->setPlaceholderText(QStringLiteral("optimizer_step_limit=20000"));
    auto* about = new QLabel(
        tr("The run continues from its latest checkpoint. You can change %1. Other changes need a "
           "new run.")
            .arg(QString::fromStdString(plan::changeableSettings())),
        this);
    about->setWordWrap(true);
    setTextTone(*m_problem, Tone::Bad);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Resume"));
    connect(buttons, &QDialogButtonBox::accepted, this, &ResumeDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ResumeDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow(about);
    form->addRow(tr("Number of &epochs:"), m_epochs);
    form->addRow(tr("&Other settings:"), m_others);
    form->addRow(m_problem);
    form->addRow(buttons);
}

void ResumeDialog::accept()
{
    QStringList settings;
    if (m_epochs->value() != m_before)
        settings << QStringLiteral("--number_of_epochs=%1").arg(m_epochs->value());
    for (QString word : QProcess::splitCommand(m_others->text())) {
        if (!word.contains(QLatin1Char('='))) {
            m_problem->setText(tr("'%1' is not a setting. Write key=value.").arg(word));
            m_others->setFocus();
            return;
        }
        if (!word.startsWith(QLatin1String("--")) && !word.startsWith(QLatin1String("++")))
            word.prepend(QLatin1String("--"));
        settings << word;
    }
    Q_EMIT chosen(settings);
    QDialog::accept();
}

} // namespace earwright::ui
