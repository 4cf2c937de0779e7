# Builds amx_tune, which measures the speed-up of AMX tiles. The tests include this file, too, to run it on emulated tiles.
if(NOT TARGET amx_tune)
  add_executable(amx_tune ${CMAKE_CURRENT_LIST_DIR}/amx_proposal.cpp ${CMAKE_CURRENT_LIST_DIR}/amx_tune.cpp)
  target_link_libraries(amx_tune PRIVATE webnn_measure webnn_options webnn_fmt)
endif()
