#pragma once

#include "tests/ui/demo_recipe.h"
#include "tests/ui/own_settings.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/swap_file.h"
#include "ui/session/main_window.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/info_bar.h"

#include <QApplication>
#include <QDirIterator>
#include <QInputMethodEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

/// A window with settings and application data of its own and a demo recipe in front whose checks
/// find nothing; keys go to it as a user's would.
struct EditorDesk {
    QTemporaryDir folder;
    earwright::ui::Theme theme;
    std::unique_ptr<earwright::ui::MainWindow> window;
    QString path;

    EditorDesk()
    {
        useOwnSettings(folder.path());
        writeManifests(folder.filePath(QStringLiteral("data")));
        path = writeDemoRecipe(folder.path(), folder.filePath(QStringLiteral("data")));
        openWindow();
        openRecipe(path);
    }
    void openWindow()
    {
        earwright::ui::SessionState state = earwright::ui::loadSessionState();
        state.runsRoot = folder.filePath(QStringLiteral("runs"));
        window = std::make_unique<earwright::ui::MainWindow>(theme, state);
        window->resize(1360, 860);
        window->show();
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window does not show");
    }
    void openRecipe(const QString& recipe) const
    {
        window->openRecipe(recipe);
        if (!QTest::qWaitFor([this] { return page()->latestCheck() != nullptr; }, 20000))
            qFatal("the recipe was not checked");
    }
    /// Until what is known is of the text as it is.
    void waitForCheck() const
    {
        const auto isKnown = [this] {
            const auto check = page()->latestCheck();
            return check && check->document->request.text == text().toStdString();
        };
        if (!QTest::qWaitFor(isKnown, 20000))
            qFatal("the recipe was not checked");
    }
    /// As after `kill -9`: nothing is asked, saved or removed, and who wrote the swap files is
    /// gone.
    void crash()
    {
        window.reset();
        waitForSwapFiles();
        const QByteArray writer
            = '\n' + QByteArray::number(QCoreApplication::applicationPid()) + ' ';
        for (const QString& file : swapFiles())
            writeFile(file, bytesOf(file).replace(writer, "\n999999 "));
    }
    /// Until what was begun with them is done, and told.
    static void waitForSwapFiles()
    {
        earwright::ui::SwapFile last(
            QStringLiteral("last.yaml"), [] { return QString(); }, nullptr);
        last.writeAndWait();
        QFile::remove(last.path());
        QCoreApplication::processEvents();
    }
    static QStringList swapFiles()
    {
        QStringList all;
        for (QDirIterator files(earwright::ui::SwapFile::folder(), QDir::Files); files.hasNext();)
            all << files.next();
        return all;
    }

    earwright::ui::RecipePage* page() const { return window->recipes()->current(); }
    earwright::ui::RecipeEditor* editor() const { return page()->editor(); }
    /// What tells about the recipe's file.
    earwright::ui::InfoBar* bar() const { return page()->findChild<earwright::ui::InfoBar*>(); }
    static void press(const QWidget* within, const QString& text)
    {
        for (QPushButton* button : within->findChildren<QPushButton*>())
            if (button->isVisible() && button->text().remove(QLatin1Char('&')) == text)
                return QTest::keyClick(button, Qt::Key_Space);
        qFatal("there is no button '%s'", qPrintable(text));
    }
    QString text() const { return editor()->text(); }
    int errors() const { return page()->problems()->errorCount(); }
    QAction* action(const char* id) const { return window->actions().find(QLatin1String(id)); }
    template <class Widget>
    Widget* find(const char* name) const
    {
        return window->findChild<Widget*>(QLatin1String(name));
    }

    /// To whatever has the focus, as the keyboard does.
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const
    {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target ? target : window.get(), static_cast<Qt::Key>(key), modifiers);
    }
    void type(const QString& text) const { typeInto(QApplication::focusWidget(), text); }
    /// Letters outside ASCII come from an input method.
    static void typeInto(QWidget* target, const QString& text)
    {
        for (const QChar letter : text) {
            QInputMethodEvent event;
            event.setCommitString(letter);
            if (letter == QLatin1Char('\n'))
                QTest::keyClick(target, Qt::Key_Return);
            else if (letter.unicode() < 128)
                QTest::keyClicks(target, letter);
            else
                QCoreApplication::sendEvent(target, &event);
        }
    }

    /// Caret before the first `what` of the text.
    void putCaret(const QString& what, int offset = 0) const
    {
        const qsizetype at = text().indexOf(what);
        if (at < 0)
            qFatal("the recipe holds no '%s'", qPrintable(what));
        editor()->selectRange(at + offset, at + offset);
        editor()->setFocus();
    }
    QString lineAtCaret() const { return editor()->text(editor()->caret().line - 1).trimmed(); }
};

/// A user's, to the questions that come up, in this order.
class Answers final {
public:
    Answers(std::initializer_list<QMessageBox::StandardButton> answers)
        : m_answers(answers)
    {
        QObject::connect(&m_user, &QTimer::timeout, &m_user, [this] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box && !m_answers.isEmpty())
                box->button(m_answers.takeFirst())->click();
        });
        m_user.start(0);
    }
    bool areGiven() const { return m_answers.isEmpty(); }

private:
    QList<QMessageBox::StandardButton> m_answers;
    QTimer m_user;
};
