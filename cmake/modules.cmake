# A module is a folder of src/: one static library, and one test program from its *_test.cc files.

# Lower modules need no fake but a header or two; these are tested against the ones in src/testing.
set(REPRISE_TESTED_WITH_FAKES executor app cli)

set_property(GLOBAL PROPERTY REPRISE_MODULES "")

# Headers that nearly every file reads are read once: cmake/common.h in every module, and what the upper modules share
# besides in cmake/running.h. They save about a third of the build. A file still names all that it uses: the clang
# preset builds without them.
option(REPRISE_PRECOMPILED "read the common headers once" ON)
set(REPRISE_UPPER_MODULES executor app cli testing)

# The first module of each kind compiles the header, the others share it.
function(reprise_precompile target module)
  if(NOT REPRISE_PRECOMPILED)
    return()
  endif()
  set(owner base)
  set(header common.h)
  if(module IN_LIST REPRISE_UPPER_MODULES)
    set(owner executor)
    set(header running.h)
  endif()
  if(target STREQUAL reprise_${owner})
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/${header})
  else()
    target_precompile_headers(${target} REUSE_FROM reprise_${owner})
  endif()
endfunction()

function(reprise_module name)
  set(folder ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(NOT sources)
    set(sources ${CMAKE_BINARY_DIR}/empty.cc)
    file(TOUCH ${sources})
  endif()
  add_library(reprise_${name} STATIC ${sources})
  target_include_directories(reprise_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ARGN PREPEND reprise_ OUTPUT_VARIABLE needed)
  target_link_libraries(reprise_${name} PUBLIC ${needed})
  reprise_precompile(reprise_${name} ${name})
  set_property(GLOBAL APPEND PROPERTY REPRISE_MODULES ${name})
endfunction()

function(reprise_module_tests)
  include(GoogleTest)
  get_property(modules GLOBAL PROPERTY REPRISE_MODULES)
  foreach(name ${modules})
    file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*_test.cc)
    if(tests)
      add_executable(${name}_test ${tests})
      target_link_libraries(${name}_test PRIVATE reprise_${name} GTest::gtest_main)
      reprise_precompile(${name}_test ${name})
      if(name IN_LIST REPRISE_TESTED_WITH_FAKES)
        target_link_libraries(${name}_test PRIVATE reprise_testing)
      endif()
      gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
    endif()
  endforeach()
endfunction()
