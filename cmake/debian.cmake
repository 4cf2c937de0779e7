# For CPack: what Debian's packages have and others do not.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(root ${CPACK_TEMPORARY_DIRECTORY})

# The packages that the installed files need, less those whose libraries are bundled. CPack's own call of dpkg-shlibdeps cannot leave any
# out.
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

# Its names and forms of documents.
set(documents ${root}/usr/share/doc/webnn)
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
file(REMOVE ${documents}/LICENSE)  # which all systems have
file(WRITE ${documents}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: libwebnn

Files: *
Copyright: 2026 the authors of libwebnn
License: Apache-2.0
 The text is in /usr/share/common-licenses/Apache-2.0. What is compiled in or
 bundled has other licences, which are in /usr/share/doc/webnn/licences.
")
file(GLOB pages ${root}/usr/share/man/man1/*.1)
execute_process(COMMAND gzip -9n ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
