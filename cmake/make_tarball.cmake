# SPDX-License-Identifier: MIT
# Run by the target tarball (tarball.cmake), with: source, work and output (directories), name,
# compiler, werror (CG_WERROR: with the options of the build, ccache has most of it).
#
# The same source gives the same bytes, wherever and whenever it is built: names of
# directories are in no file, and the time is that of SOURCE_DATE_EPOCH or of the last commit.
#
# On Debian, whose packages have archives of all libraries, and files about their licences.
cmake_minimum_required(VERSION 3.25)
set(agents armhf arm64 i386 riscv64 x86_64)
set(stage ${work}/${name})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(output_of variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(time "$ENV{SOURCE_DATE_EPOCH}")
if(time STREQUAL "")
  output_of(time git -C ${source} log -1 --format=%ct)
endif()
if(time STREQUAL "")
  set(time 0)
endif()

# The programs and agents. Without assertions and debug information nothing has a directory's name.
foreach(flags CFLAGS CPPFLAGS LDFLAGS)
  unset(ENV{${flags}})
endforeach()
foreach(agent IN LISTS agents) # first, as they need most
  run(${CMAKE_COMMAND} --preset agent-${agent} -S ${source} -B ${work}/agent-${agent}
      -DCG_WERROR=${werror})
endforeach()
run(${CMAKE_COMMAND} --preset static -S ${source} -B ${work}/static
    -DCMAKE_C_COMPILER=${compiler} -DCG_AGENTS=${work} -DCG_WERROR=${werror})
run(${CMAKE_COMMAND} --build ${work}/static --target cgsnap cgunwind cgrules cgtop)
foreach(agent IN LISTS agents)
  run(${CMAKE_COMMAND} --build ${work}/agent-${agent})
endforeach()

file(REMOVE_RECURSE ${stage})
run(${CMAKE_COMMAND} --install ${work}/static --prefix ${stage} --strip)
run(${CMAKE_COMMAND} --install ${work}/static --prefix ${stage} --component agents)

# Descriptions of terminals, for systems that have none.
foreach(terminals /usr/share/terminfo /lib/terminfo)
  foreach(terminal a/ansi d/dumb l/linux r/rxvt r/rxvt-unicode-256color s/screen s/screen-256color
                   t/tmux t/tmux-256color v/vt100 v/vt220 x/xterm x/xterm-256color)
    if(EXISTS ${terminals}/${terminal})
      get_filename_component(letter ${terminal} DIRECTORY)
      file(COPY ${terminals}/${terminal} DESTINATION ${stage}/share/terminfo/${letter}
           FOLLOW_SYMLINK_CHAIN)
    endif()
  endforeach()
endforeach()

# The licence of each package that an archive comes from, and those that it refers to.
file(READ ${work}/static/build.ninja ninja)
string(REGEX MATCHALL " /[^ \n]+\\.a" archives "${ninja}")
string(REGEX MATCHALL " -l[a-z]+" names "${ninja}")
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names ITEMS -lc -lgcc)
  string(REGEX REPLACE "^ *-l" "" name ${name})
  output_of(path ${compiler} -print-file-name=lib${name}.a)
  list(APPEND archives ${path})
endforeach()
foreach(archive IN LISTS archives)
  string(STRIP ${archive} archive)
  file(REAL_PATH ${archive} archive)
  output_of(owner dpkg-query -S ${archive})
  if(owner MATCHES "^([^:]+):")
    list(APPEND packages ${CMAKE_MATCH_1})
  else()
    message(FATAL_ERROR "no package has ${archive}, so its licence is not known")
  endif()
endforeach()
list(REMOVE_DUPLICATES packages)
set(licences ${stage}/share/doc/cgsnap/licences)
foreach(package IN LISTS packages)
  list(APPEND copyrights ${package}=/usr/share/doc/${package}/copyright)
endforeach()
set(cache "$ENV{CG_CACHE}")
if(cache STREQUAL "")
  set(cache $ENV{HOME}/.cache/cg-debian)
endif()
list(APPEND copyrights musl=${cache}/amd64/musl-dev/usr/share/doc/musl-dev/copyright)
foreach(copyright IN LISTS copyrights)
  string(REGEX MATCH "^([^=]+)=(.+)$" copyright ${copyright})
  configure_file(${CMAKE_MATCH_2} ${licences}/${CMAKE_MATCH_1} COPYONLY)
  file(READ ${CMAKE_MATCH_2} text)
  string(REGEX MATCHALL "/usr/share/common-licenses/[A-Za-z]+(-[0-9.]*[0-9])?" common "${text}")
  list(APPEND texts ${common})
endforeach()
list(REMOVE_DUPLICATES texts)
foreach(text IN LISTS texts)
  get_filename_component(title ${text} NAME)
  if(EXISTS ${text}) # some refer to names that were never there
    configure_file(${text} ${licences}/${title} COPYONLY)
  endif()
endforeach()
configure_file(${source}/LICENSE ${stage}/LICENSE COPYONLY)
configure_file(${source}/cmake/tarball.txt ${stage}/README COPYONLY)

# Names, times, owners and modes that depend on nothing.
execute_process(COMMAND tar -C ${work} --sort=name --mtime=@${time} --owner=0 --group=0
                        --numeric-owner --mode=u+rw,go+rX,go-w --format=gnu -cf - ${name}
                COMMAND gzip -9n
                OUTPUT_FILE ${output}/${name}.tar.gz COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${output}/${name}.tar.gz size)
message(STATUS "${output}/${name}.tar.gz, ${size} bytes")
