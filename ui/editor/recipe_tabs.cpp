#include "ui/editor/recipe_tabs.h"

#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/plain_tip.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace earwright::ui {

RecipeTabs::RecipeTabs(const QList<QAction*>& emptyActions, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_tabs(new QTabWidget(this))
{
    m_stack->addWidget(new EmptyState(
        { QStringLiteral("document-edit"), tr("No recipe is open"),
            tr("A recipe says what to train on which data. Open one to edit, check and train it."),
            emptyActions },
        this));
    m_stack->addWidget(m_tabs);
    m_tabs->setObjectName(QStringLiteral("recipeTabs"));
    m_tabs->setAccessibleName(tr("Open recipes"));
    m_tabs->setDocumentMode(true);
    m_tabs->setTabsClosable(true);
    m_tabs->setMovable(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    connect(m_tabs, &QTabWidget::currentChanged, this, &RecipeTabs::currentChanged);
    connect(m_tabs, &QTabWidget::tabCloseRequested, this,
        [this](int index) { close(qobject_cast<RecipePage*>(m_tabs->widget(index))); });
}

RecipePage* RecipeTabs::open(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    for (RecipePage* page : pages())
        if (page->path() == absolute) {
            m_tabs->setCurrentWidget(page);
            return page;
        }
    auto* page = new RecipePage(absolute, m_tabs);
    page->setCheckContext(m_context);
    page->setFormShown(m_isFormShown);
    page->editor()->setTextFont(m_editorFont);
    connectPage(page);
    m_tabs->addTab(page, QString());
    nameTab(page);
    m_tabs->setCurrentWidget(page);
    m_stack->setCurrentIndex(1);
    Q_EMIT pathsChanged();
    return page;
}

void RecipeTabs::connectPage(RecipePage* page)
{
    connect(page, &RecipePage::titleChanged, this, [this, page] {
        nameTab(page);
        Q_EMIT currentChanged();
    });
    connect(page, &RecipePage::pathChanged, this, [this, page] {
        nameTab(page);
        Q_EMIT pathsChanged();
        Q_EMIT currentChanged();
    });
    connect(page, &RecipePage::checked, this, [this, page] {
        if (page == current())
            Q_EMIT checked();
    });
    connect(page, &RecipePage::caretMoved, this, [this, page](recipe::Position caret) {
        if (page == current())
            Q_EMIT caretMoved(caret);
    });
    connect(
        page, &RecipePage::usagesFound, this, [this, page](const auto& name, const auto& found) {
            for (RecipePage* other : pages())
                if (other != page)
                    other->forgetUsages();
            Q_EMIT usagesFound(name, found);
        });
    connect(page, &RecipePage::usagesChanged, this, &RecipeTabs::usagesChanged);
    connect(page, &RecipePage::openWanted, this, &RecipeTabs::openWanted);
}

/// A long name leaves its middle out, for the tabs beside it to be seen.
void RecipeTabs::nameTab(RecipePage* page)
{
    constexpr int kMaxLetters = 32;
    const QFontMetrics metrics = m_tabs->fontMetrics();
    QString name = metrics.elidedText(
        page->title(), Qt::ElideMiddle, kMaxLetters * metrics.averageCharWidth());
    const int index = m_tabs->indexOf(page);
    m_tabs->setTabText(index, name.replace(u"&"_qs, u"&&"_qs));
    m_tabs->setTabToolTip(index, plainTip(page->path()));
}

void RecipeTabs::setEditorFont(const QString& description)
{
    m_editorFont = description;
    for (const RecipePage* page : pages())
        page->editor()->setTextFont(description);
}

RecipePage* RecipeTabs::current() const
{
    return qobject_cast<RecipePage*>(m_tabs->currentWidget());
}

QList<RecipePage*> RecipeTabs::pages() const
{
    QList<RecipePage*> all;
    for (int i = 0; i < m_tabs->count(); ++i)
        all << qobject_cast<RecipePage*>(m_tabs->widget(i));
    return all;
}

QStringList RecipeTabs::paths() const
{
    QStringList all;
    for (const RecipePage* page : pages())
        all << page->path();
    return all;
}

void RecipeTabs::setFormShown(bool isShown)
{
    m_isFormShown = isShown;
    for (RecipePage* page : pages())
        page->setFormShown(isShown);
}

void RecipeTabs::showNext(int direction)
{
    const int count = m_tabs->count();
    if (count > 0)
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + direction + count) % count);
}

QVariantMap RecipeTabs::views() const
{
    QVariantMap all;
    for (const RecipePage* page : pages()) {
        const ViewState view = page->viewState();
        all[page->path()] = QVariantList { view.caret.line, view.caret.column, view.firstLine };
    }
    return all;
}

void RecipeTabs::restoreViews(const QVariantMap& views)
{
    for (RecipePage* page : pages())
        if (const QVariantList view = views.value(page->path()).toList(); view.size() == 3)
            page->restoreView({ { view[0].toInt(), view[1].toInt() }, view[2].toInt() });
}

bool RecipeTabs::close(RecipePage* page)
{
    const QPointer<RecipePage> asked(page);
    const Leave leave = page ? mayLeave(page) : Leave::No;
    if (page && !asked)
        return true; // an earlier close had it saved meanwhile
    if (leave == Leave::No)
        return false;
    if (leave == Leave::Discarding) {
        page->discardChanges();
        remove(page);
        return true;
    }
    // While it saves the page stays alive; it closes when the file is written.
    page->saveThen([this, page] {
        if (page->isModified()) // typed since
            close(page);
        else
            remove(page);
    });
    return true;
}

void RecipeTabs::remove(RecipePage* page)
{
    m_tabs->removeTab(m_tabs->indexOf(page));
    page->deleteLater();
    m_stack->setCurrentIndex(m_tabs->count() > 0 ? 1 : 0);
    Q_EMIT pathsChanged();
    Q_EMIT currentChanged();
}

bool RecipeTabs::closeAll()
{
    const QList<RecipePage*> all = pages();
    QList<QPointer<RecipePage>> discarded; // once it is sure that all leave
    for (const QPointer<RecipePage>& page : QList<QPointer<RecipePage>>(all.begin(), all.end())) {
        const Leave leave = page ? mayLeave(page) : Leave::No;
        if (!page)
            continue; // an earlier close had it saved while this or another was asked about
        if (leave == Leave::Saving && page->isModified())
            page->saveBeforeLeaving();
        if (leave == Leave::Discarding)
            discarded << page;
        else if (leave == Leave::No || page->isModified())
            return false;
    }
    for (const QPointer<RecipePage>& page : discarded)
        if (page)
            page->discardChanges();
    return true;
}

void RecipeTabs::keepUnsaved()
{
    for (RecipePage* page : pages())
        page->keepUnsaved();
}

RecipeTabs::Leave RecipeTabs::mayLeave(RecipePage* page)
{
    page->takeOpenEdit();
    if (!page->isModified())
        return Leave::Saving;
    m_tabs->setCurrentWidget(page);
    QMessageBox box(QMessageBox::Question, tr("Unsaved recipe"),
        tr("Save the changes to %1?").arg(QFileInfo(page->path()).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("unsavedDialog"));
    connect(page, &QObject::destroyed, &box, &QDialog::reject);
    const int answer = box.exec();
    // Told to end while it asks, the program gets no answer at all.
    return answer == QMessageBox::Save   ? Leave::Saving
        : answer == QMessageBox::Discard ? Leave::Discarding
                                         : Leave::No;
}

void RecipeTabs::setCheckContext(const CheckContext& context)
{
    m_context = context;
    for (RecipePage* page : pages())
        page->setCheckContext(context);
}

} // namespace earwright::ui
