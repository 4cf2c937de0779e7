# For CPack: the Debian packages that the installed files need, less those whose libraries are bundled. CPack's own call of
# dpkg-shlibdeps cannot leave any out.
if(CPACK_GENERATOR STREQUAL DEB)
  set(root ${CPACK_TEMPORARY_DIRECTORY})
  file(GLOB files ${root}/usr/bin/* ${root}/usr/lib/*.so.*.* ${root}/usr/lib/webnn/* ${root}/usr/libexec/webnn/*)
  list(TRANSFORM files PREPEND -e)
  file(MAKE_DIRECTORY ${root}/debian)
  file(WRITE ${root}/debian/control "Source: webnn\nPackage: webnn\nArchitecture: any\n")
  file(STRINGS /var/lib/dpkg/status packages REGEX "^Package: lib(capnp|md|seccomp)[-0-9]")
  list(TRANSFORM packages REPLACE "^Package: " -x)
  execute_process(COMMAND dpkg-shlibdeps -O --ignore-missing-info -l${root}/usr/lib -l${root}/usr/lib/webnn ${packages} ${files}
                  WORKING_DIRECTORY ${root} OUTPUT_VARIABLE depends ERROR_VARIABLE error RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "dpkg-shlibdeps: ${error}")
  endif()
  file(REMOVE_RECURSE ${root}/debian)
  string(REGEX MATCH "shlibs:Depends=([^\n]+)" depends "${depends}")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}")
endif()
