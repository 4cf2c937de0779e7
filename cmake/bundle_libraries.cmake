# For packages that are moved as a folder: installs the libraries of `executable` that a system may lack, or have in another version,
# into the folder `destination`, and their licences, which want to be with them, into `licences`; as files of `component`.
function(webnn_bundle_libraries executable destination licences component)
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:${executable}>\" RESOLVED_DEPENDENCIES_VAR libraries
         PRE_INCLUDE_REGEXES [=[^lib(capnp|kj|md|seccomp)[-.]]=] PRE_EXCLUDE_REGEXES .)
    foreach(library IN LISTS libraries)
      get_filename_component(name \"\${library}\" NAME)
      file(REAL_PATH \"\${library}\" file)  # archives of packages hold no symbolic links
      file(INSTALL \"\${file}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${destination}\" RENAME \"\${name}\")
    endforeach()
    foreach(name capnp md seccomp)  # as Debian has them
      file(GLOB texts /usr/share/doc/lib\${name}[-0-9]*/copyright)
      foreach(text IN LISTS texts)
        file(INSTALL \"\${text}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${licences}\" RENAME lib\${name}.txt)
      endforeach()
    endforeach()" COMPONENT ${component})
endfunction()

# The program of the service and its libraries lie beside the module `target`.
function(webnn_bundle_service target destination component)
  # RPATH, not RUNPATH: the libraries find each other by it, too.
  foreach(file ${target} webnn_service)
    set_property(TARGET ${file} PROPERTY INSTALL_RPATH "$ORIGIN")
    target_link_options(${file} PRIVATE LINKER:--disable-new-dtags)
  endforeach()
  install(TARGETS webnn_service RUNTIME DESTINATION ${destination} COMPONENT ${component})
  webnn_bundle_libraries(webnn_service ${destination} ${destination}/licences ${component})
endfunction()

# What is compiled in wants its licence to be with it. Installs those of the Debian packages that are nothing but headers, and of further
# ones, into the folder `destination`, as files of `component`. Other systems may lack them: the scripts that make packages check them.
function(webnn_install_licences destination component)
  foreach(package libfmt-dev libhwy-dev libprotozero-dev nlohmann-json3-dev ${ARGN})
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${destination} RENAME ${package}.txt COMPONENT ${component} OPTIONAL)
  endforeach()
  if(WEBNN_ZIG)
    install(FILES ${WEBNN_ZIG}/ziglang/lib/libcxx/LICENSE.TXT DESTINATION ${destination} RENAME libcxx.txt COMPONENT ${component})
  endif()
endfunction()
