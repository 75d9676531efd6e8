#pragma once

#include "ui/session/capsules_controller.h"
#include "ui/session/comparison_controller.h"
#include "ui/session/launch_controller.h"
#include "ui/session/layout_controller.h"
#include "ui/session/notifications_controller.h"
#include "ui/session/queue_controller.h"
#include "ui/session/recipes_controller.h"
#include "ui/session/run_selection.h"
#include "ui/session/runs_controller.h"
#include "ui/session/session_controller.h"
#include "ui/session/settings_controller.h"
#include "ui/session/steering_controller.h"
#include "ui/session/utterances_controller.h"
#include "ui/session/window_parts.h"
#include "ui/session/window_status.h"

#include <memory>

namespace earwright::ui {

/// The window's controllers: each knows those above it only.
struct WindowControllers {
    explicit WindowControllers(const WindowParts& parts);

    RunSelection selection;
    RunsController runs;
    UtterancesController utterances;
    ComparisonController comparison;
    RecipesController recipes;
    LaunchController launch;
    QueueController queue;
    SteeringController steering;
    CapsulesController capsules;
    NotificationsController notifications;
    SettingsController settings;
    LayoutController layout;
    SessionController session;
    WindowStatus status;
};

inline WindowControllers::WindowControllers(const WindowParts& parts)
    : selection(parts)
    , runs(parts, selection)
    , utterances(parts, selection)
    , comparison(parts, selection, runs)
    , recipes(parts)
    , launch(parts, selection, runs, comparison)
    , queue(parts, selection, runs)
    , steering(parts, selection)
    , capsules(parts, selection, runs, recipes)
    , notifications(parts, runs)
    , settings(parts, runs, notifications)
    , layout(parts)
    , session(parts,
          { .selection = selection,
              .runs = runs,
              .recipes = recipes,
              .launch = launch,
              .notifications = notifications,
              .layout = layout })
    , status(parts, runs)
{
}

/// Set once the parts are there; actions, which come before them, find the controllers here.
using ControllersPtr = std::unique_ptr<WindowControllers>;

// Each action is one call in one of these, with when it can be used; its place in the menus is a
// word in window_menus.cpp. They lie in the command palette in the order of these calls.
void addFileActions(const WindowParts& parts, const ControllersPtr& c);
void addEditActions(const WindowParts& parts, const ControllersPtr& c);
void addRunActions(const WindowParts& parts, const ControllersPtr& c); ///< start and resume too
void addQueueActions(const WindowParts& parts, const ControllersPtr& c);
void addViewActions(WindowParts& parts, const ControllersPtr& c);
void addUtteranceActions(const WindowParts& parts);
void addPlotActions(const WindowParts& parts, const ControllersPtr& c);

} // namespace earwright::ui
