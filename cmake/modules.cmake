# A module is a folder of src/: one static library, and one test program from its *_test.cc files.
#
# With REPRISE_UNITY its files are compiled several at a time, which reads the headers once for all of them: the
# product then builds in a fifth of the time (docs/decisions/0016). Names in unnamed namespaces are therefore
# unique in their folder. clang-tidy reads file by file, which shows an include that is missing.

set(CMAKE_UNITY_BUILD ${REPRISE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
set(REPRISE_TEST_FLAGS -O0)  # what a test spends its time on is the product, and that is optimised

# Lower modules need no fake but a header or two; these are tested against the ones in src/testing.
set(REPRISE_TESTED_WITH_FAKES executor app cli)

set_property(GLOBAL PROPERTY REPRISE_MODULES "")

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
  set_property(GLOBAL APPEND PROPERTY REPRISE_MODULES ${name})
endfunction()

function(reprise_module_tests)
  include(GoogleTest)
  get_property(modules GLOBAL PROPERTY REPRISE_MODULES)
  foreach(name ${modules})
    file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*_test.cc)
    if(tests)
      add_executable(${name}_test ${tests})
      target_compile_options(${name}_test PRIVATE ${REPRISE_TEST_FLAGS})
      target_compile_definitions(${name}_test PRIVATE REPRISE_SOURCE_PATH="${CMAKE_SOURCE_DIR}")
      target_link_libraries(${name}_test PRIVATE reprise_${name} GTest::gtest_main)
      if(name IN_LIST REPRISE_TESTED_WITH_FAKES)
        target_link_libraries(${name}_test PRIVATE reprise_testing)
      endif()
      gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
    endif()
  endforeach()
endfunction()
