#include "ui/utterances/manifest_look.h"

#include "ui/widgets/when_done.h"

#include <QAction>
#include <QFileDialog>
#include <QtConcurrentRun>

namespace earwright::ui {

ManifestLook::ManifestLook(QWidget* parent)
    : QObject(parent)
    , m_parent(parent)
    , m_close(new QAction(tr("Clo&se the Manifest"), this))
{
    m_close->setObjectName(QStringLiteral("transcript.closeManifest"));
    m_close->setEnabled(false);
    connect(m_close, &QAction::triggered, this, &ManifestLook::close);
}

ManifestLook::~ManifestLook()
{
    stopReading();
}

void ManifestLook::stopReading()
{
    if (m_isWanted)
        *m_isWanted = false;
    m_isWanted.reset();
}

QString ManifestLook::name() const
{
    return QString::fromStdU16String(m_choice.file.filename().u16string());
}

void ManifestLook::open(const std::filesystem::path& file, const QString& runPath)
{
    m_choice = { .file = file, .runPath = runPath };
    m_close->setEnabled(true);
    readNow();
}

void ManifestLook::close()
{
    if (!isOpen())
        return;
    stopReading();
    m_choice = {};
    m_close->setEnabled(false);
    Q_EMIT closed();
}

void ManifestLook::readNow()
{
    stopReading();
    Q_EMIT reading();
    m_isWanted = std::make_shared<std::atomic<bool>>(true);
    const auto work = [choice = m_choice, isWanted = m_isWanted] {
        return readManifestSet(choice, [isWanted] { return isWanted->load(); });
    };
    whenDone(
        QtConcurrent::run(work), this, [this, isWanted = m_isWanted](const UtteranceSetPtr& set) {
            if (isWanted == m_isWanted)
                Q_EMIT read(set);
        });
}

void ManifestLook::ask(const QString& title, const std::function<void(const QString& file)>& take)
{
    auto* dialog = new QFileDialog(m_parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Manifests (*.csv *.json *.jsonl)"));
    connect(dialog, &QFileDialog::fileSelected, this, take);
    dialog->open();
}

void ManifestLook::askForFile(const QString& runPath)
{
    ask(tr("Open a Manifest"),
        [this, runPath](const QString& file) { open(file.toStdU16String(), runPath); });
}

std::vector<InfoBar::Choice> ManifestLook::choices()
{
    std::vector<InfoBar::Choice> choices;
    if (!isOpen())
        return choices;
    if (!m_choice.readsSounds)
        choices.push_back({ tr("Read the Sounds"), [this] {
                               m_choice.readsSounds = true;
                               readNow();
                           } });
    choices.push_back({ tr("Overlap with…"), [this] {
                           ask(tr("Overlap with Another Manifest"), [this](const QString& file) {
                               m_choice.other = file.toStdU16String();
                               readNow();
                           });
                       } });
    choices.push_back({ tr("Close the Manifest"), [this] { close(); } });
    return choices;
}

} // namespace earwright::ui
