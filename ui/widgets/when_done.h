#pragma once

#include <QFutureWatcher>

#include <type_traits>
#include <utility>

namespace earwright::ui {

/// Calls `next` in the GUI thread once the future is done, unless `context` is gone by then. Not
/// QFuture::then(): Qt 6.4's calls it twice where the future ends while it is told what comes next,
/// and reads a context that may be going. As there, an exception or a cancelled future ends in no
/// call. Never calls at once: a future that is done already waits for the event loop too.
template <class Result, class Next>
void whenDone(const QFuture<Result>& future, QObject* context, Next next)
{
    auto* watcher = new QFutureWatcher<Result>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context,
        [watcher, next = std::move(next)]() mutable {
            watcher->deleteLater();
            if (watcher->isCanceled())
                return;
            if constexpr (std::is_void_v<Result>)
                next();
            else
                next(watcher->result());
        });
    watcher->setFuture(future);
}

} // namespace earwright::ui
