# The plots: all that touches QCustomPlot.
foreach(source plot_colors plot_axis plot_curve plot_graphs plot_theme plot_crosshair plot_ticks plot_range plot_heading plot_marks plot_outliers plot_menu plot_view plot_view_input plot_export plot_export_dialog plot_tool_bar plot_board)
  target_sources(earwright_ui PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${source}.cpp)
endforeach()
