# SPDX-License-Identifier: MIT
# Makes the fixed parts of the html format's pages, as C, from files that a browser can show as they
# are, too:
#
#     cmake -D HTML=page.html -D "STYLES=a.css;b.css" -D LOADER=loader.js -D "SCRIPTS=a.js;main.js"
#           -D OUTPUT=page_parts.c -P embed_page.cmake
#
# SCRIPTS are modules, in an order in which each comes behind those that it imports. They become one
# module: their lines that begin with "import " are left out, as is the word "export " at the
# beginning of a line. So an import is one line, and names outside of functions are unique in all of
# them. Comments that begin a line, indentation and empty lines are left out, too.
#
# In HTML the comment "content security policy" becomes a policy that permits these styles, the
# loader and the module by their hashes, and nothing else; the link to the style goes, the script
# with src is the loader. Title and data, and the styles and the module, which are compressed, are
# left to the program.
cmake_minimum_required(VERSION 3.25)

# replace_once(TEXT FROM TO): in the variable TEXT; FROM has to be there once.
function(replace_once text from to)
  string(FIND "${${text}}" "${from}" first)
  string(FIND "${${text}}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${HTML}: has to have once: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" changed "${${text}}")
  set(${text} "${changed}" PARENT_SCOPE)
endfunction()

# refuse(TEXT NAME ...): what would end the element that the text is put into.
function(refuse text name)
  string(TOLOWER "${${text}}" lower)
  foreach(end IN LISTS ARGN)
    string(FIND "${lower}" "${end}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${name} must not have: ${end}")
    endif()
  endforeach()
endfunction()

# base64_of_hash(TEXT OUT): base64 of its SHA-256. Three hexadecimal digits are two of base64; of 64
# one is left, whose four bits and two zeroes are the last.
function(base64_of_hash text out)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${${text}}")
  string(APPEND hex "00")
  set(base64 "")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING "${hex}" ${at} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING "${digits}" ${high} 1 first)
    string(SUBSTRING "${digits}" ${low} 1 second)
    string(APPEND base64 "${first}${second}")
  endforeach()
  string(SUBSTRING "${base64}" 0 43 base64)
  set(${out} "${base64}=" PARENT_SCOPE)
endfunction()

# c_literal(TEXT OUT): a string a line, with no trigraphs.
function(c_literal text out)
  string(REPLACE "\\" "\\\\" literal "${${text}}")
  string(REPLACE "\"" "\\\"" literal "${literal}")
  string(REPLACE "?" "\\?" literal "${literal}")
  string(REPLACE "\n" "\\n\"\n    \"" literal "${literal}")
  set(${out} "\"${literal}\"" PARENT_SCOPE)
endfunction()

# join(OUT FILE ...): their texts, without what only who writes them needs.
function(join out)
  set(text "\n")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" part)
    string(APPEND text "${part}")
  endforeach()
  string(REGEX REPLACE "\n +" "\n" text "${text}")
  string(REGEX REPLACE "\n/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
  string(REGEX REPLACE "\n//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
  string(REPLACE "\nexport " "\n" text "${text}")
  string(REGEX REPLACE "\n\n+" "\n" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

file(READ "${HTML}" page)
join(style ${STYLES})
join(loader "${LOADER}")
join(script ${SCRIPTS})

refuse(loader "${LOADER}" "</script" "<!--" "<script")
base64_of_hash(loader loader_hash)
base64_of_hash(style style_hash)
base64_of_hash(script script_hash)
string(CONCAT policy "default-src 'none'; script-src 'sha256-${loader_hash}' "
              "'sha256-${script_hash}'; style-src 'sha256-${style_hash}'; img-src data:; "
              "base-uri 'none'; form-action 'none'")
replace_once(page "<!-- content security policy -->"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"${policy}\">")

# cut(TEXT MARK HEAD TAIL): what is up to the end of the mark, and what follows.
function(cut text mark head tail)
  replace_once(${text} "${mark}" "${mark}")
  string(FIND "${${text}}" "${mark}" at)
  string(LENGTH "${mark}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${${text}}" 0 ${at} before)
  string(SUBSTRING "${${text}}" ${at} -1 behind)
  set(${head} "${before}" PARENT_SCOPE)
  set(${tail} "${behind}" PARENT_SCOPE)
endfunction()

replace_once(page "<title>cgunwind</title>" "<title></title>")
cut(page "<title>" to_title page)
cut(page "id=\"data\">" to_data page)
cut(page "id=\"style\">" to_style page)
cut(page "id=\"script\">" to_script to_end)
replace_once(to_data "<link rel=\"stylesheet\" href=\"page.css\">\n" "")
replace_once(to_end "<script src=\"loader.js\"></script>" "<script>${loader}</script>")

set(parts "/* Made by cmake/embed_page.cmake. */\n#include \"output/html/page_parts.h\"\n")
foreach(part to_title to_data to_style to_script to_end style script)
  c_literal(${part} literal)
  string(APPEND parts "\nconst char page_${part}[] =\n    ${literal};\n")
endforeach()
file(WRITE "${OUTPUT}.new" "${parts}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
