# Tests the C API: its header in C and C++, its objects, every operation, and its symbols.
add_library(capi_header OBJECT capi/header.c capi/header.cpp)
target_link_libraries(capi_header PRIVATE WebNN::webnn_c)
target_compile_options(capi_header PRIVATE -Wall -Wextra -pedantic -Werror)
set_target_properties(capi_header PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF CXX_STANDARD 11)

add_executable(test_capi capi/allocation_test.cpp capi/capi_test.cpp capi/limits_test.cpp capi/session_test.cpp support/onnx_model.cpp
                         $<TARGET_OBJECTS:capi_header>)
target_include_directories(test_capi PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(test_capi SYSTEM PRIVATE ${PROTOZERO_INCLUDE_DIR})
target_compile_definitions(test_capi PRIVATE WEBNN_PROJECT_VERSION="${PROJECT_VERSION}")
target_link_libraries(test_capi PRIVATE WebNN::webnn_c webnn_options GTest::gtest GTest::gtest_main)
if(WEBNN_SERVICE AND WEBNN_BUILD_CLI)
  target_sources(test_capi PRIVATE capi/service_test.cpp)
  target_compile_definitions(test_capi PRIVATE WEBNN_TOOL="$<TARGET_FILE:webnn_tool>"
                                               WEBNN_SERVICE_PROGRAM="$<TARGET_FILE:webnn_service>")
  add_dependencies(test_capi webnn_tool webnn_service)
endif()
gtest_discover_tests(test_capi TEST_PREFIX "capi." DISCOVERY_TIMEOUT 60)

add_test(NAME capi.symbolsAreThoseListed COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/capi/symbols_test.py
                                                 ${CMAKE_NM} $<TARGET_FILE:webnn_c> src/capi/symbols.txt WEBNN_EXPORT
                                                 include/webnn/webnn.h include/webnn/webnn_operations.h)
if(WEBNN_BUILD_CLI)
  set(calls ${CMAKE_CURRENT_BINARY_DIR}/capi/operation_calls.inc)
  add_custom_command(OUTPUT ${calls} COMMAND webnn_tool ops --format=c-calls -o ${calls} DEPENDS webnn_tool)
  webnn_test(capi_operations capi/operations_test.cpp ${calls})
  target_include_directories(test_capi_operations PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/capi)
  target_link_libraries(test_capi_operations PRIVATE webnn_random WebNN::webnn_c)
  add_test(NAME examples.helloInC COMMAND hello_c)
  set_tests_properties(examples.helloInC PROPERTIES PASS_REGULAR_EXPRESSION "^0 3 0\n$")
endif()
