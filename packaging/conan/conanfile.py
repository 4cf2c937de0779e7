"""Conan's recipe of libwebnn: `conan create packaging/conan`."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class WebnnConan(ConanFile):
    name = "webnn"
    description = "The Web Neural Network API as a native library"
    license = "Apache-2.0"
    topics = ("webnn", "machine-learning", "inference", "onnx")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "service": [True, False]}
    default_options = {"shared": False, "service": False}

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "CMakeLists.txt"))
        self.version = re.search(r"project\(WebNN VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "CHANGELOG.md", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def config_options(self):
        if self.settings.os != "Linux":
            del self.options.service

    def requirements(self):
        # Dependents do not need these headers, because no installed header includes them.
        for reference in ("fmt/[>=9 <12]", "nlohmann_json/[>=3.11 <4]", "protozero/[>=1.7 <2]", "highway/[>=1.0 <2]"):
            self.requires(reference, visible=False)
        if self.options.get_safe("service"):
            self.requires("capnproto/[>=0.9 <2]")
            self.requires("libseccomp/[>=2.5 <3]", visible=False)
            self.requires("libmd/[>=1.0 <2]", visible=False)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["WEBNN_BUILD_TESTS"] = False
        toolchain.cache_variables["WEBNN_BUILD_CLI"] = False
        toolchain.cache_variables["WEBNN_SERVICE"] = bool(self.options.get_safe("service"))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The package brings a CMake configuration and pkg-config files of its own.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "WebNN")]
        self.cpp_info.libs = ["webnn"]
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread", "dl", "m"]
