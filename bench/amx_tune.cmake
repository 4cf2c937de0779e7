# What the tiles of AMX gain. A test runs it on emulated ones, so the tests make it too.
if(NOT TARGET amx_tune)
  add_executable(amx_tune ${CMAKE_CURRENT_LIST_DIR}/amx_proposal.cpp ${CMAKE_CURRENT_LIST_DIR}/amx_tune.cpp)
  target_link_libraries(amx_tune PRIVATE webnn_measure webnn_options webnn_fmt)
endif()
