#pragma once

#include "ui/widgets/plot_view.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDir>
#include <QTest>
#include <QWidget>

/// Plots paint with the next frame: here at once, when a change of palette has reached them.
inline void paintPlots(QWidget& widget)
{
    QCoreApplication::processEvents();
    for (earwright::ui::PlotView* plot : widget.findChildren<earwright::ui::PlotView*>())
        if (plot->isVisible())
            plot->refresh();
    QCoreApplication::processEvents();
}

/// $EARWRIGHT_SCREENSHOT_DIR, else build/screenshots of a program in build/release/bin.
inline QString screenshotFolder()
{
    const QString preset = qEnvironmentVariable("EARWRIGHT_SCREENSHOT_DIR");
    return preset.isEmpty() ? QDir::cleanPath(
               QCoreApplication::applicationDirPath() + QStringLiteral("/../../screenshots"))
                            : preset;
}

/// Writes NAME-light.png and NAME-dark.png of a widget to that folder.
inline void takeScreenshots(QWidget& widget, const QString& name)
{
    const QDir folder(screenshotFolder());
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    for (const bool isDark : { false, true }) {
        QApplication::setPalette(
            isDark ? earwright::ui::darkPalette() : earwright::ui::lightPalette());
        widget.grab(); // lays out and paints once, so that plots know their width
        paintPlots(widget);
        const QString path = folder.filePath(
            name + (isDark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png")));
        QVERIFY2(widget.grab().save(path), qPrintable(path));
    }
}
