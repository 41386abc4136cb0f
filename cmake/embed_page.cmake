# SPDX-License-Identifier: MIT
# Makes the fixed parts of the html format's pages, as C, from files that a browser can show as they
# are, too:
#
#     cmake -D HTML=page.html -D STYLE=page.css -D "SCRIPTS=a.js;main.js" -D OUTPUT=page_parts.c
#           -P embed_page.cmake
#
# SCRIPTS are modules, in an order in which each comes behind those that it imports. They become one
# module: their lines that begin with "import " are left out, as is the word "export " at the
# beginning of a line. So an import is one line, and names outside of functions are unique in all of
# them.
#
# In HTML the comment "content security policy" becomes a policy that permits this style and this
# script by their hashes and nothing else; the link to the style and the script with src become the
# style and the script. Title and data are left to the program.
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

file(READ "${HTML}" page)
file(READ "${STYLE}" style)
set(script "\n")
foreach(file IN LISTS SCRIPTS)
  file(READ "${file}" module)
  string(APPEND script "${module}")
endforeach()
string(REGEX REPLACE "\nimport [^\n]*" "" script "${script}")
string(REPLACE "\nexport " "\n" script "${script}")

refuse(style "${STYLE}" "</style")
refuse(script "the scripts" "</script" "<!--" "<script")
base64_of_hash(style style_hash)
base64_of_hash(script script_hash)
string(CONCAT policy "default-src 'none'; script-src 'sha256-${script_hash}'; style-src "
              "'sha256-${style_hash}'; img-src data:; base-uri 'none'; form-action 'none'")
replace_once(page "<!-- content security policy -->"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"${policy}\">")

# Behind the title and the data: the style and the script may have what they begin with.
set(title "<title>")
set(data "<script type=\"application/octet-stream\" id=\"data\">")
replace_once(page "${data}</script>" "${data}")
replace_once(page "<title>cgunwind</title>" "${title}")
string(FIND "${page}" "${title}" title_at)
string(FIND "${page}" "${data}" data_at)
string(LENGTH "${title}" length)
math(EXPR title_end "${title_at} + ${length}")
string(LENGTH "${data}" length)
math(EXPR data_end "${data_at} + ${length}")
math(EXPR middle_length "${data_end} - ${title_end}")
string(SUBSTRING "${page}" 0 ${title_end} begin)
string(SUBSTRING "${page}" ${title_end} ${middle_length} middle)
string(SUBSTRING "${page}" ${data_end} -1 end)
set(middle "</title>${middle}")
set(end "</script>${end}")
replace_once(middle "<link rel=\"stylesheet\" href=\"page.css\">" "<style>${style}</style>")
replace_once(end "<script type=\"module\" src=\"main.js\"></script>"
             "<script type=\"module\">${script}</script>")

c_literal(begin begin)
c_literal(middle middle)
c_literal(end end)
file(WRITE "${OUTPUT}.new"
     "/* Made by cmake/embed_page.cmake. */\n#include \"output/html/page_parts.h\"\n\n"
     "const char page_begin[] =\n    ${begin};\n\n"
     "const char page_middle[] =\n    ${middle};\n\n"
     "const char page_end[] =\n    ${end};\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
