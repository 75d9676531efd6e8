#include "ui/session/help_dialog.h"

#include <QCursor>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

const QString kManual = QStringLiteral(":/earwright/manual/");

/// "Own data" of a page that begins with "# Own data"; else its file's name.
QString pageTitleOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString line = QString::fromUtf8(file.readLine()).trimmed();
    return line.startsWith(QLatin1String("# ")) ? line.sliced(2) : QFileInfo(path).baseName();
}

} // namespace

HelpDialog::HelpDialog(QWidget* parent)
    : QDialog(parent)
    , m_back(new QPushButton(tr("&Back"), this))
    , m_pages(new QListWidget(this))
    , m_text(new QTextBrowser(this))
{
    setObjectName(QStringLiteral("helpDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Earwright help"));
    build();
    connectParts();
    fillList();
}

void HelpDialog::build()
{
    m_back->setObjectName(QStringLiteral("helpBack"));
    m_back->setToolTip(tr("To the page that was read before"));
    m_back->setAutoDefault(false);
    m_back->setEnabled(false);
    m_pages->setAccessibleName(tr("Pages of the help"));
    m_pages->setFrameShape(QFrame::NoFrame);
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Page of the help"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    auto* list = new QWidget(this);
    auto* listColumn = new QVBoxLayout(list);
    listColumn->setContentsMargins(0, 0, 0, 0);
    listColumn->addWidget(m_back);
    listColumn->addWidget(m_pages);
    auto* parts = new QSplitter(this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(list);
    parts->addWidget(m_text);
    parts->setSizes({ 200, 700 });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(parts);
    resize(940, 680);
    m_pages->setFocus();
}

void HelpDialog::connectParts()
{
    const auto open = [this](const QListWidgetItem* page) {
        if (page)
            m_text->setSource(QUrl(page->data(Qt::UserRole).toString()));
    };
    connect(m_text, &QTextBrowser::anchorClicked, this, &HelpDialog::follow);
    connect(m_text, &QTextBrowser::sourceChanged, this, &HelpDialog::selectPage);
    connect(m_text, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_back, &QPushButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_pages, &QListWidget::currentItemChanged, this, open);
    connect(m_pages, &QListWidget::itemClicked, this, open); // to the top of the current one too
}

void HelpDialog::fillList()
{
    const QDir docs(kManual + QStringLiteral("docs"));
    for (const QString& name :
        docs.entryList({ QStringLiteral("*.md") }, QDir::Files, QDir::Name)) {
        auto* page = new QListWidgetItem(pageTitleOf(docs.filePath(name)), m_pages);
        page->setData(Qt::UserRole, QStringLiteral("qrc") + docs.filePath(name));
        if (name == QLatin1String("window.md"))
            m_pages->setCurrentItem(page);
    }
}

/// Pages name files of the sources too, which the program does not carry.
void HelpDialog::follow(const QUrl& link)
{
    const QUrl target = m_text->source().resolved(link);
    if (target.scheme().startsWith(QLatin1String("http")))
        QDesktopServices::openUrl(target);
    else if (QFile::exists(QLatin1Char(':') + target.path()))
        m_text->setSource(target);
    else
        QToolTip::showText(
            QCursor::pos(), tr("%1 is in Earwright's sources.").arg(link.path()), m_text);
}

/// None where the list has no such page.
void HelpDialog::selectPage(const QUrl& source)
{
    const QString page = source.adjusted(QUrl::RemoveFragment).toString();
    int row = m_pages->count() - 1;
    while (row >= 0 && m_pages->item(row)->data(Qt::UserRole).toString() != page)
        --row;
    const QSignalBlocker blocker(m_pages); // it would open the page again, at its top
    m_pages->setCurrentRow(row);
}

} // namespace earwright::ui
