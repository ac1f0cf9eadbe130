# Compiler flags, and the libraries. Everything but libc is linked statically where Debian ships an
# archive: a command of ours starts in about a millisecond less, and the binary runs on its own.

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -fno-omit-frame-pointer
                    -Wno-missing-field-initializers)  # designated initialisers name what matters
if(REPRISE_WERROR)
  add_compile_options(-Werror)  # not in the release preset: a compiler's new warning must not keep a user from building
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-coroutines>)  # g++ 12 miscompiles them: never by accident
  add_compile_options(-Wno-maybe-uninitialized)  # g++ 12 warns of designated initialisers; clang checks the real ones
else()
  add_compile_options(-Wno-deprecated-declarations)  # clang warns of libstdc++'s own std::stable_sort; g++ checks ours
endif()
if(REPRISE_SANITIZE)
  add_compile_options(-fsanitize=${REPRISE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REPRISE_SANITIZE})
else()
  add_link_options(-static-libstdc++ -static-libgcc)
endif()
add_link_options(-Wl,--gc-sections)
add_compile_options(-ffunction-sections -fdata-sections)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# find_archive(VARIABLE name): the static library where there is one, else the shared one.
function(find_archive variable name)
  find_library(${variable} NAMES lib${name}.a ${name} REQUIRED)
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
find_archive(LIB_CRYPTO crypto)
find_archive(LIB_YAML yaml-cpp)
find_archive(LIB_JSON boost_json)
find_archive(LIB_SQLITE sqlite3)
find_package(Threads REQUIRED)
list(APPEND LIB_CRYPTO ${CMAKE_DL_LIBS} Threads::Threads)
list(APPEND LIB_SQLITE m ${CMAKE_DL_LIBS} Threads::Threads)
add_compile_definitions(YAML_CPP_STATIC_DEFINE)
