# Tests librustnn_bridge as a browser uses it: by its header alone.
add_library(rustnn_bridge_header OBJECT rustnn_bridge/header.c rustnn_bridge/header.cpp)
target_link_libraries(rustnn_bridge_header PRIVATE rustnn_bridge)
target_compile_options(rustnn_bridge_header PRIVATE -Wall -Wextra -pedantic -Werror)
set_target_properties(rustnn_bridge_header PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF CXX_STANDARD 11)

add_executable(test_rustnn_bridge rustnn_bridge/errors_test.cpp rustnn_bridge/graphs_test.cpp rustnn_bridge/json_test.cpp
                                  rustnn_bridge/lifetime_test.cpp $<TARGET_OBJECTS:rustnn_bridge_header>)
target_include_directories(test_rustnn_bridge PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(test_rustnn_bridge PRIVATE WEBNN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(test_rustnn_bridge PRIVATE rustnn_bridge webnn_options GTest::gtest GTest::gtest_main)
gtest_discover_tests(test_rustnn_bridge TEST_PREFIX "rustnn_bridge." DISCOVERY_TIMEOUT 60)

add_test(NAME rustnn_bridge.symbolsAreThoseListed
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/capi/symbols_test.py ${CMAKE_NM} $<TARGET_FILE:rustnn_bridge>
                 bindings/rustnn_bridge/symbols.txt RUSTNN_BRIDGE_EXPORT bindings/rustnn_bridge/rustnn_bridge.h)
if(TARGET firefox_bridge)
  add_test(NAME examples.firefoxBridge COMMAND firefox_bridge)
  set_tests_properties(examples.firefoxBridge PROPERTIES PASS_REGULAR_EXPRESSION "^13 0\n$")
endif()
