# Packages that are moved as a folder: the program of the service and the libraries that a system may lack lie beside the module
# `target`, in the folder `destination` of the component `component`.
function(webnn_bundle_service target destination component)
  # RPATH, not RUNPATH: the libraries find each other by it, too.
  foreach(file ${target} webnn_service)
    set_property(TARGET ${file} PROPERTY INSTALL_RPATH "$ORIGIN")
    target_link_options(${file} PRIVATE LINKER:--disable-new-dtags)
  endforeach()
  install(TARGETS webnn_service RUNTIME DESTINATION ${destination} COMPONENT ${component})
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:webnn_service>\" RESOLVED_DEPENDENCIES_VAR libraries
         PRE_INCLUDE_REGEXES [=[^lib(capnp|kj|md|seccomp)[-.]]=] PRE_EXCLUDE_REGEXES .)
    foreach(library IN LISTS libraries)
      get_filename_component(name \"\${library}\" NAME)
      file(REAL_PATH \"\${library}\" file)  # archives of packages hold no symbolic links
      file(COPY_FILE \"\${file}\" \"$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}/\${name}\")
    endforeach()
    foreach(name capnp md seccomp)  # their licences want to be with them; here as Debian has them
      file(GLOB licences /usr/share/doc/lib\${name}[-0-9]*/copyright)
      foreach(licence IN LISTS licences)
        configure_file(\"\${licence}\" \"$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}/licences/lib\${name}.txt\" COPYONLY)
      endforeach()
    endforeach()" COMPONENT ${component})
endfunction()
