# CPack runs this before it packs. Adjusts the files of a Debian package to Debian's rules; other packages stay as they are.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
set(root ${CPACK_TEMPORARY_DIRECTORY})

# Computes the Debian packages that the installed files depend on, except the packages of bundled libraries. CPack's own call of
# dpkg-shlibdeps has no way to exclude a package.
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

# Debian's names and formats for documents.
set(documents ${root}/usr/share/doc/webnn)
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
file(REMOVE ${documents}/LICENSE)  # Every Debian system has the text in /usr/share/common-licenses.
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
