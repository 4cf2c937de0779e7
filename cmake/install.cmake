# Installs the libraries, their headers, the CMake package (find_package(WebNN CONFIG)), the pkg-config files, the tool with its
# manual pages and completion for bash, and the service with its systemd units.
include(CMakePackageConfigHelpers)

install(TARGETS webnn EXPORT WebNNTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET webnn_c)
  install(TARGETS webnn_c EXPORT WebNNTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/webnn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET webnn_tool)
  install(TARGETS webnn_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(NOT CMAKE_CROSSCOMPILING)
    configure_file(cmake/install_pages.cmake.in install_pages.cmake.in @ONLY)
    file(GENERATE OUTPUT install_pages.cmake INPUT ${CMAKE_CURRENT_BINARY_DIR}/install_pages.cmake.in)
    install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/install_pages.cmake)
  endif()
endif()
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(WEBNN_SERVICE)
  install(TARGETS webnn_service RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/webnn)
  if(BUILD_SHARED_LIBS)
    set_property(TARGET webnn_service PROPERTY INSTALL_RPATH ${CMAKE_INSTALL_FULL_LIBDIR})
  endif()
endif()
if(TARGET webnn_tool AND WEBNN_SERVICE)
  configure_file(cmake/systemd/webnn.service.in systemd/system/webnn.service @ONLY)
  configure_file(cmake/systemd/webnn.socket systemd/system/webnn.socket COPYONLY)
  configure_file(cmake/systemd/user.service.in systemd/user/webnn.service @ONLY)
  configure_file(cmake/systemd/user.socket systemd/user/webnn.socket COPYONLY)
  install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/systemd DESTINATION lib)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/WebNN)
install(EXPORT WebNNTargets NAMESPACE WebNN:: DESTINATION ${package_dir})
configure_package_config_file(cmake/WebNNConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/WebNNConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/WebNNConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/WebNNConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/WebNNConfigVersion.cmake
        DESTINATION ${package_dir})

# The prefix is relative to the pkg-config file, so that the installed tree can be moved.
file(RELATIVE_PATH WEBNN_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
if(WEBNN_SERVICE)
  if(NOT BUILD_SHARED_LIBS)
    set(WEBNN_PC_REQUIRES capnp)
  endif()
  set(WEBNN_PC_SERVICE "service_program=\${prefix}/${CMAKE_INSTALL_LIBEXECDIR}/webnn/webnn-service")
endif()
# A static library always needs its dependencies on the link line, so list them where pkg-config reads them even without
# --static.
if(BUILD_SHARED_LIBS)
  set(WEBNN_PC_PRIVATE .private)
  set(WEBNN_PC_LIBS_PRIVATE " -lstdc++ -pthread")
else()
  set(WEBNN_PC_LIBS " -lstdc++ -pthread")
endif()
configure_file(cmake/webnn.pc.in ${CMAKE_CURRENT_BINARY_DIR}/webnn.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/webnn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET webnn_c)
  if(WEBNN_STATIC_C)
    set(WEBNN_PC_C_LIBS " -lwebnn -lstdc++ -pthread -ldl")
    if(WEBNN_SERVICE)
      set(WEBNN_PC_C_REQUIRES "Requires: capnp")
    endif()
  endif()
  configure_file(cmake/webnn_c.pc.in ${CMAKE_CURRENT_BINARY_DIR}/webnn_c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/webnn_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
