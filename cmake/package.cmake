# `make package`: a Debian package and a relocatable archive of the same files (preset `package`). Libraries whose versions
# differ between systems are bundled in lib/webnn, so that one package serves Debian 12, Debian 13 and similar systems.

# RPATH instead of RUNPATH, because only RPATH also serves the bundled libraries' own dependencies.
function(webnn_find_libraries target up)
  if(TARGET ${target})
    set_property(TARGET ${target} PROPERTY INSTALL_RPATH "$ORIGIN/${up}" "$ORIGIN/${up}/webnn")
    target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  endif()
endfunction()
webnn_find_libraries(webnn .)
webnn_find_libraries(webnn_c .)
webnn_find_libraries(webnn_tool ../${CMAKE_INSTALL_LIBDIR})
webnn_find_libraries(webnn_service ../../${CMAKE_INSTALL_LIBDIR})
webnn_bundle_libraries(webnn_service ${CMAKE_INSTALL_LIBDIR}/webnn ${CMAKE_INSTALL_DOCDIR}/licences Unspecified)
webnn_install_licences(${CMAKE_INSTALL_DOCDIR}/licences Unspecified libcli11-dev libstb-dev)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME webnn)
set(CPACK_PACKAGE_VENDOR "the authors of libwebnn")
set(CPACK_PACKAGE_CONTACT "the authors of libwebnn <maintainers@libwebnn.invalid>")
set(CPACK_STRIP_FILES ON)
string(TOLOWER "${CMAKE_SYSTEM_NAME}" system)
set(CPACK_PACKAGE_FILE_NAME webnn-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkgconf")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Web Neural Network API as a native library")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "\
Builds, validates, compiles and runs graphs of the W3C Web Neural Network
API, and models in the format ONNX, on the CPU. This package has the tool
webnn, the libraries for C++ and C with their headers, and the service
that runs graphs of others in processes of their own.")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
# Our own shlibs file instead of CPack's, because CPack's would also offer the bundled libraries in lib/webnn to other packages.
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "")
foreach(target webnn webnn_c)
  get_target_property(soversion ${target} SOVERSION)
  file(APPEND ${PROJECT_BINARY_DIR}/debian/shlibs "lib${target} ${soversion} webnn (>= ${PROJECT_VERSION})\n")
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers ${PROJECT_BINARY_DIR}/debian/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
