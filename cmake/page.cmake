# SPDX-License-Identifier: MIT
# The fixed parts of the html format's pages: embed_page.cmake says how they are made.

# Each behind those that it imports.
set(page_scripts amounts.js data.js dom.js model.js state.js app.js tip.js words.js choices.js
                 quality_bars.js overview_view.js main.js)
set(page_styles page.css page_overview.css)

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
