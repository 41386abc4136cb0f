# SPDX-License-Identifier: MIT
# The fixed parts of the html format's pages: embed_page.cmake says how they are made.

# Each behind those that it imports.
set(page_scripts
    amounts.js division.js model.js state.js time_axis.js app.js dom.js
    words.js choices.js data.js colours.js flame_layout.js flame_weights.js
    flame_paint.js flame_bar.js flame_names.js flame_stack.js flame_tip.js
    tip.js flame_view.js table_rows.js graph_figures.js graph_pan.js
    graph_picture.js svg_safe.js graph_view.js help.js history.js pieces.js
    waits_model.js piece_words.js time_data.js overview_waits.js
    quality_bars.js overview_change.js overview_view.js curve_view.js time_drag.js strip.js
    sandwich.js values.js values_view.js sandwich_view.js table_view.js
    time_innermost.js thread_detail.js threads_rows.js threads_view.js
    timeline_rows.js timeline_view.js wait_lane.js wait_detail.js
    waits_deadlocks.js waits_moment.js waits_view.js main.js)
set(page_styles
    page.css page_flame.css page_graph.css page_overview.css page_table.css
    page_threads.css page_timeline.css page_values.css page_waits.css)

# add_page(TARGET): makes them, for a target that links them.
function(add_page target)
  set(directory ${CMAKE_SOURCE_DIR}/src/output/html)
  set(output ${CMAKE_BINARY_DIR}/page_parts.c)
  list(TRANSFORM page_scripts PREPEND ${directory}/ OUTPUT_VARIABLE scripts)
  list(TRANSFORM page_styles PREPEND ${directory}/ OUTPUT_VARIABLE styles)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D HTML=${directory}/page.html "-DSTYLES=${styles}"
            -D LOADER=${directory}/loader.js "-DSCRIPTS=${scripts}" -D OUTPUT=${output}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${directory}/page.html ${directory}/loader.js ${styles} ${scripts}
            ${CMAKE_SOURCE_DIR}/cmake/embed_page.cmake
    COMMENT "Making the fixed parts of pages"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
