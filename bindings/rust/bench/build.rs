//! Compiles the C++ half of the benchmark, and links libwebnn.a of the build directory `WEBNN_BUILD`.
fn main() {
    let build = std::env::var("WEBNN_BUILD").expect("WEBNN_BUILD is set to a build directory, such as build/release");
    cc::Build::new()
        .cpp(true)
        .std("c++20")
        .opt_level(2)
        .warnings(false)
        .include("../../../include")
        .file("src/calls.cpp")
        .compile("calls");
    println!("cargo::rustc-link-search=native={build}/src");
    println!("cargo::rustc-link-lib=static=webnn");
    for library in ["stdc++", "capnp", "kj"] {
        println!("cargo::rustc-link-lib={library}");
    }
    println!("cargo::rerun-if-changed=src/calls.cpp");
    println!("cargo::rerun-if-env-changed=WEBNN_BUILD");
}
