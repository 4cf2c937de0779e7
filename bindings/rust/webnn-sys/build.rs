//! Finds libwebnn_c: in the directory WEBNN_LIB_DIR, by building it (feature `bundled`), or with pkg-config.
use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=WEBNN_LIB_DIR");
    println!("cargo:rerun-if-env-changed=WEBNN_SOURCE_DIR");
    if let Some(directory) = env::var_os("WEBNN_LIB_DIR") {
        link_directory(Path::new(&directory));
    } else if cfg!(feature = "bundled") {
        build_bundled();
    } else if let Err(error) = pkg_config::Config::new().atleast_version("0.1").probe("webnn_c") {
        panic!(
            "webnn-sys found no libwebnn_c. Install libwebnn, so that `pkg-config --libs webnn_c` finds it; or set WEBNN_LIB_DIR to \
             the directory with libwebnn_c; or enable the feature `bundled`, which builds it with CMake.\n{error}"
        );
    }
}

fn target_os() -> String {
    env::var("CARGO_CFG_TARGET_OS").unwrap_or_default()
}

/// Links the shared library in `directory` or, if there is none, the static libraries.
fn link_directory(directory: &Path) {
    println!("cargo:rustc-link-search=native={}", directory.display());
    println!("cargo:libdir={}", directory.display());
    let shared = ["libwebnn_c.so", "libwebnn_c.dylib", "webnn_c.dll", "webnn_c.lib"];
    if shared.iter().any(|name| directory.join(name).exists()) {
        println!("cargo:rustc-link-lib=dylib=webnn_c");
    } else if directory.join("libwebnn_c.a").exists() {
        link_static();
    } else {
        panic!("WEBNN_LIB_DIR ({}) has no libwebnn_c; accepted are {} and libwebnn_c.a", directory.display(), shared.join(", "));
    }
}

fn link_static() {
    println!("cargo:rustc-link-lib=static=webnn_c");
    println!("cargo:rustc-link-lib=static=webnn");
    match target_os().as_str() {
        "macos" => {
            println!("cargo:rustc-link-lib=dylib=c++");
            println!("cargo:rustc-link-lib=framework=CoreML");
            println!("cargo:rustc-link-lib=framework=Foundation");
        }
        "windows" => {}
        _ => {
            for library in ["stdc++", "pthread", "dl", "m"] {
                println!("cargo:rustc-link-lib=dylib={library}");
            }
        }
    }
}

/// Returns the directory with libwebnn's sources: WEBNN_SOURCE_DIR, the sources in this crate if it is packed, or the repository
/// that contains this crate.
fn source_directory() -> PathBuf {
    let crate_directory = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let packed = crate_directory.join("libwebnn");
    let directory = match env::var_os("WEBNN_SOURCE_DIR") {
        Some(directory) => PathBuf::from(directory),
        None if packed.exists() => packed,
        None => crate_directory.join("../../.."),
    };
    assert!(
        directory.join("src/capi/CMakeLists.txt").exists(),
        "the feature `bundled` found no sources of libwebnn in {}; set WEBNN_SOURCE_DIR to a checkout of the repository",
        directory.display()
    );
    directory
}

#[cfg(feature = "bundled")]
fn build_bundled() {
    let source = source_directory();
    for part in ["CMakeLists.txt", "src", "include", "cmake"] {
        println!("cargo:rerun-if-changed={}", source.join(part).display());
    }
    let mut config = cmake::Config::new(&source);
    let headers = source.join("headers");
    if headers.exists() {
        config.define("WEBNN_HEADERS", headers); // a packed crate has the headers of fmt, JSON for Modern C++, protozero and Highway
    }
    let built = config
        .profile("Release")
        .define("WEBNN_STATIC_C", "ON")
        .define("WEBNN_BUILD_CLI", "OFF")
        .define("WEBNN_BUILD_TESTS", "OFF")
        // The service is a separate program, which a static library cannot contain.
        .define("WEBNN_SERVICE", "OFF")
        .build_target("webnn_c")
        .build();
    for directory in ["build/src", "build/src/capi"] {
        println!("cargo:rustc-link-search=native={}", built.join(directory).display());
    }
    link_static();
}

#[cfg(not(feature = "bundled"))]
fn build_bundled() {
    let _ = source_directory;
}
