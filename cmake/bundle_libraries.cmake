# Installs shared libraries of `executable` into the directory `destination`, and their licence texts into `licences`, for
# packages that can be moved as a directory. These are the libraries that a system may lack or have in another version. All files
# belong to `component`.
function(webnn_bundle_libraries executable destination licences component)
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:${executable}>\" RESOLVED_DEPENDENCIES_VAR libraries
         PRE_INCLUDE_REGEXES [=[^lib(capnp|kj|md|seccomp)[-.]]=] PRE_EXCLUDE_REGEXES .)
    foreach(library IN LISTS libraries)
      get_filename_component(name \"\${library}\" NAME)
      # Install the file itself under the library's name: archives of packages hold no symbolic links.
      file(REAL_PATH \"\${library}\" file)
      file(INSTALL \"\${file}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${destination}\" RENAME \"\${name}\")
    endforeach()
    foreach(name capnp md seccomp)  # the licence texts are where Debian's packages put them
      file(GLOB texts /usr/share/doc/lib\${name}[-0-9]*/copyright)
      foreach(text IN LISTS texts)
        file(INSTALL \"\${text}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${licences}\" RENAME lib\${name}.txt)
      endforeach()
    endforeach()" COMPONENT ${component})
endfunction()

# Installs the program webnn-service and its libraries into `destination`, beside the module `target`.
function(webnn_bundle_service target destination component)
  # RPATH instead of RUNPATH, because only RPATH also serves the libraries' own dependencies.
  foreach(file ${target} webnn_service)
    set_property(TARGET ${file} PROPERTY INSTALL_RPATH "$ORIGIN")
    target_link_options(${file} PRIVATE LINKER:--disable-new-dtags)
  endforeach()
  install(TARGETS webnn_service RUNTIME DESTINATION ${destination} COMPONENT ${component})
  webnn_bundle_libraries(webnn_service ${destination} ${destination}/licences ${component})
endfunction()

# Installs licence texts of code that is compiled into our binaries into the directory `destination`, as files of `component`: the
# texts of the header-only Debian packages, and of the packages in ARGN. OPTIONAL, because other systems lack these files; the
# scripts that make packages check that they are there.
function(webnn_install_licences destination component)
  foreach(package libfmt-dev libhwy-dev libprotozero-dev nlohmann-json3-dev ${ARGN})
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${destination} RENAME ${package}.txt COMPONENT ${component} OPTIONAL)
  endforeach()
  if(WEBNN_ZIG)
    install(FILES ${WEBNN_ZIG}/ziglang/lib/libcxx/LICENSE.TXT DESTINATION ${destination} RENAME libcxx.txt COMPONENT ${component})
  endif()
endfunction()
