# The README's two commands and other targets for contributors; CONTRIBUTING.md lists the checks that take long. CMake does the build.
WEBNN := build/release/tools/cli/webnn

.PHONY: release arm-packages arm-packages-test package package-test npm npm-test arm bits32 cross demo service-suites ray programs tables first-change tidy build-report layers hostile memory-limits nightly soak faults fairness service-container everyday-random onnx-random node rust rust-test rust-wasi-nn rust-bench rust-package web web-demo wheel wheel-test node-asan python test build tool configure setup asan service-asan changed-memory tsan fuzz bench bench-zoo amx-tune service-speed bench-serialization status drift sizes format clean help

demo: tool  ## build the command line tool, and read ten pictures of digits with the example network
	@scripts/demo.sh $(WEBNN)

test: configure  ## build, and run all tests
	@scripts/build_tests.sh
	@ctest --preset release

build: configure  ## build everything that the tests need
	@cmake --build --preset release

tool: configure
	@cmake --build --preset release --target webnn_tool

configure: setup
	@cmake --preset release $(if $(wildcard build/release/CMakeCache.txt),> /dev/null)

python: setup  ## build the Python package into build/python-package, with what its tests need
	@scripts/setup/setup_python_package.sh

wheel: setup  # build the wheels for Linux into dist/: Python 3.11, 3.12 and newer, and webnn-onnxruntime; see docs/guides/packages.md
	@scripts/packages/build_wheels.sh

wheel-test:  # install each wheel of dist/ into new environments of the Pythons 3.11 to 3.14 and use it; 3.14 needs root
	@scripts/packages/test_wheels.sh

arm-packages: setup  # build into dist/ the wheels for 64-bit Arm and the Node.js addon linux-arm64, which `make npm` packs; see docs/guides/packages.md
	@scripts/setup/setup.sh arm-packages
	@scripts/packages/build_wheels.sh aarch64
	@scripts/setup/setup_node_package.sh --download
	@node bindings/node/scripts/build.mjs --platform=linux-arm64 -DWEBNN_SERVICE=OFF -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/zig.cmake \
	  -DWEBNN_ZIG_TARGET=aarch64-linux-gnu.2.28 > build/node-linux-arm64.log

arm-packages-test:  # test the packages for 64-bit Arm in QEMU, on the files of Debian 13; as root, after make arm-packages npm
	@scripts/packages/test_arm_packages.sh

ray: python  # install Ray into build/ray, and run the tests of webnn.ray, each fault RUNS times (default 1)
	@scripts/setup/setup_ray.sh
	@WEBNN_RAY_RUNS=$(or $(RUNS),1) scripts/tests/test_ray.sh -q --durations=5

programs: python  # run programs of other packages with onnxruntime and with webnn, compare, and measure ROUNDS (5) times; writes docs/guides/coming_from_onnxruntime.md
	@scripts/setup/setup_programs.sh
	@scripts/tests/test_programs.sh --measure $(or $(ROUNDS),5) --page docs/guides/coming_from_onnxruntime.md

service-suites: tool python node  # run the test suites of the Python and the Node.js package, and the one of WEBNN_WPT_DIR, through the service
	@scripts/tests/test_service_suites.sh

node: setup  ## build the Node.js package in bindings/node
	@scripts/setup/setup_node_package.sh

rust: configure  ## build the Rust crate, and the library that it links
	@scripts/setup/setup_rust.sh
	@cmake --build --preset release --target webnn_c
	@cd bindings/rust && WEBNN_LIB_DIR=$(CURDIR)/build/release/src/capi cargo build --locked --all-targets

rust-test: rust  # format, lints and tests of the Rust crate
	@scripts/tests/test_rust.sh build/release/src/capi lints
	@scripts/tests/test_rust.sh build/release/src/capi tests
	@scripts/tests/test_rust.sh build/release/src/capi examples

rust-wasi-nn: configure  # compile and test the crate webnn-wasi-nn, which lets WebAssembly programs in wasmtime run models
	@scripts/setup/setup_rust.sh --wasi-nn
	@cmake --build --preset release --target webnn_c
	@scripts/tests/test_rust_wasi_nn.sh build/release/src/capi

rust-bench: rust  # compare the times of calls in Rust with those in C++; MODEL also names a model file
	@cd bindings/rust/bench && WEBNN_BUILD=$(CURDIR)/build/release WEBNN_LIB_DIR=$(CURDIR)/build/release/src/capi cargo build --locked --release
	@LD_LIBRARY_PATH=build/release/src/capi build/rust-bench/release/webnn-bench $(MODEL)

rust-package:  # pack the crates into dist/crates, and run the README's program on the packed crates in an empty project
	@scripts/setup/setup_rust.sh
	@scripts/packages/make_crates.sh

web-demo:  # serve the demo pages of the web package on loopback, PORT=8080, after make web; the files are in build/web-demo
	@node scripts/web_demo.mjs $(or $(PORT),8080)

package: setup  # make a Debian package and a relocatable archive in dist; test them by `make package-test` (as root)
	@scripts/packages/make_packages.sh

package-test:  # install, use and remove the packages of `make package` in bare chroots of Debian 12 and 13
	@scripts/packages/test_packages.sh bookworm trixie

release: setup  # make wheels, packages, documents, SBOM and checksums of a commit in dist, and compare its ABI with the last release's
	@scripts/packages/release.sh

npm: node  # make the npm packages in dist: webnn, webnn-onnxruntime-node, and for each platform one that holds its addon
	@node scripts/packages/make_npm_packages.mjs

npm-test:  # install the packages of `make npm` from a registry on loopback into empty projects, and run them with Node.js 20, 22, 24 and 26
	@node scripts/packages/test_npm_packages.mjs

web: tool  ## build the web package into bindings/web/dist; without Emscripten, as root: see scripts/web.sh
	@$(WEBNN) ops --format=json > build/operations.json
	@scripts/web.sh build/operations.json

setup:  # install missing system packages, and bundle the page of webnn view
	@scripts/setup/setup.sh
	@scripts/viewer.sh --if-possible

asan:  # run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup/setup.sh clang
	@cmake --preset asan > /dev/null && cmake --build --preset asan && ctest --preset asan

service-asan:  # run only the service's tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup/setup.sh clang
	@cmake --preset asan > /dev/null && cmake --build --preset asan --target test_service test_message test_context webnn_service
	@ASAN_OPTIONS=detect_leaks=0 ctest --preset asan -R '^(service|message|context\.service)\.'

changed-memory:  # run the test that changes tensors while a worker uses them, TIMES (50) as long as usual, under AddressSanitizer
	@scripts/setup/setup.sh clang
	@cmake --preset asan > /dev/null && cmake --build --preset asan --target test_service
	@WEBNN_CHANGED_MEMORY=$(or $(TIMES),50) build/asan/tests/test_service --gtest_filter='ChangedMemory.*'

node-asan:  # run the tests of the Node.js package under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup/setup.sh clang
	@scripts/setup/setup_node_package.sh
	@cmake --preset asan -DWEBNN_BUILD_NODE=ON > /dev/null && cmake --build --preset asan --target webnn_node
	@scripts/tests/test_node_asan.sh build/asan/bindings/node/webnn.node

tsan:  # run the tests of contexts and of the engine's threads under ThreadSanitizer
	@scripts/setup/setup.sh clang
	@cmake --preset tsan > /dev/null && cmake --build --preset tsan --target test_context test_cpu webnn_service && ctest --preset tsan -R '^context\.|^cpu\.(Team|SharedRanges|CpuExecutable|CpuRecurrent|CpuGemm)'

fuzz:  # run every fuzzer for RUNS executions (default 2,000,000)
	@scripts/setup/setup.sh clang
	@scripts/fuzz.sh $(or $(RUNS),2000000)

bench: setup  ## compare our CPU engine with ONNX Runtime and OpenVINO on MODELS (default: the benchmark models); writes docs/reference/time.md
	@scripts/setup/setup_python.sh && scripts/setup/setup_python.sh bench/requirements.txt build/openvino
	@cmake --preset bench > /dev/null && cmake --build --preset bench
	@scripts/python.sh scripts/bench.py build/bench/tools/cli/webnn $(MODELS)

bench-zoo: setup  # compare our CPU engine with both peers on the networks of bench/zoo, or on MODELS, in an hour or more; KEEP=1 goes on where it was interrupted; writes docs/reference/performance.md and zoo.md
	@scripts/setup/setup_python.sh && scripts/setup/setup_python.sh bench/requirements.txt build/openvino
	@$(if $(MODELS),,scripts/setup/setup_python.sh bench/zoo.txt build/zoo-env && build/zoo-env/bin/python bench/zoo/make_zoo.py build/zoo)
	@cmake --preset bench > /dev/null && cmake --build --preset bench --target webnn_tool
	@scripts/python.sh scripts/bench_zoo.py build/bench/tools/cli/webnn $(MODELS) $(if $(KEEP),--keep)

gpu-check: build  # measure and test on an NVIDIA GPU, or with DRY_RUN=cpu on the CPU: VECTORS (../shared/wpt), MODELS, memory; writes build/gpu_check.md
	@scripts/gpu_check.py build/release $(or $(VECTORS),../shared/wpt) $(MODELS) $(if $(DRY_RUN),--dry-run $(DRY_RUN)) --out build/gpu_check.md

webgpu-check: build  # measure and test the backend webgpu on a GPU, or on ADAPTER=llvmpipe: VECTORS (../shared/wpt), MODELS; writes build/webgpu_check.md
	@scripts/setup/setup_webgpu.sh && scripts/setup/setup_python.sh bench/webgpu.txt build/onnxruntime_webgpu
	@scripts/python.sh bench/make_models.py build/webgpu_models mobilenet_v2 resnet50 vit_small whisper_tiny_encoder diffusion_block gpt_step
	@WEBNN_WEBGPU=$${WEBNN_WEBGPU:-$$(ls build/webgpu/lib/python3*/site-packages/wgpu/resources/libwgpu_native*.so)} \
	  scripts/webgpu_check.py build/release $(or $(MODELS),build/webgpu_models/*.onnx) --vectors $(or $(VECTORS),../shared/wpt) $(if $(ADAPTER),--adapter $(ADAPTER)) --out build/webgpu_check.md

amx-tune:  # measure how much AMX tiles gain over AVX-512, for products and MODELS, in ten minutes; writes build/amx.md, or nothing without AMX
	@cmake --preset bench > /dev/null && cmake --build --preset bench --target amx_tune
	@build/bench/bench/amx_tune build/amx.md $(MODELS)

service-speed:  # measure the cost of the service's worker process: round trips, dispatches in flight, copies of 100 MB, and MODELS
	@cmake --preset bench > /dev/null && cmake --build --preset bench --target service_speed
	@build/bench/tools/cli/service_speed $(MODELS)

bench-serialization:  # compare formats of graphs on MODELS (default: small ones of ../shared/models); writes docs/reference/serialization.md
	@scripts/setup/setup.sh protobuf
	@cmake --preset bench > /dev/null && cmake --build --preset bench --target bench_serialization
	@build/bench/bench/bench_serialization $(or $(MODELS),$(wildcard ../shared/models/mnist/opt-mnist.onnx \
	  ../shared/models/squeezenet1.1/squeezenet1.1.onnx ../shared/models/ultraface/version-RFB-320.onnx)) > build/serialization.md
	@mv build/serialization.md docs/reference/serialization.md

nightly: build  # run COUNT (200,000) random graphs with every instruction set of this machine, and compare with the reference
	@scripts/nightly.sh $(WEBNN) $(or $(COUNT),200000)

arm:  # run the tests of base, ops, reference, context and engine, the conformance vectors and RANDOM (5,000) random graphs on emulated Arm processors
	@scripts/setup/setup.sh
	@scripts/setup/setup.sh arm64
	@cmake --preset arm64 > /dev/null && cmake --build --preset arm64 --target webnn_tool test_base test_ops test_reference test_context test_cpu
	@scripts/arm.sh $(or $(RANDOM),5000)

bits32:  # run the tests of base, ops, reference, context and engine as a 32-bit build, which has WebAssembly's size_t
	@scripts/setup/setup.sh
	@scripts/setup/setup.sh bits32
	@cmake --preset bits32 > /dev/null && cmake --build --preset bits32 --target test_base test_ops test_reference test_context test_cpu
	@ctest --preset bits32 -R '^(base|ops|reference|context|cpu)\.' --quiet --output-log build/bits32/tests.log; status=$$?; grep -E 'tests passed|Failed' build/bits32/tests.log; exit $$status

cross:  # build the command line tool for Windows, macOS and Linux with musl (or TARGETS), and run the vectors on each build that can run here
	@scripts/setup/setup.sh
	@scripts/setup/setup.sh cross
	@scripts/cross.sh $(TARGETS)

faults: build  # kill KILLS (5,000) workers of a service and disconnect DISCONNECTS (10,000) clients, while SLOW (500) clients never read
	@cd build/release && WEBNN_FAULT_KILLS=$(or $(KILLS),5000) WEBNN_DISCONNECTS=$(or $(DISCONNECTS),10000) WEBNN_SLOW_CLIENTS=$(or $(SLOW),500) tests/test_faults

soak: configure  # run eight tenants of a service for SOAK_SECONDS (3,600) and kill a worker each minute: no result may be lost, nothing may grow
	@cmake --build --preset release --target service_soak
	@build/release/tests/service_soak $(or $(SOAK_SECONDS),3600)

fairness: configure  # measure for MINUTES (10) how much a tenant that uses all its quotas slows another down; as root with cgroup v2, the other must keep half
	@cmake --build --preset release --target service_fairness
	@build/release/tests/service_fairness $(or $(MINUTES),10)

service-container: build  # run the service's tests as an ordinary user, and in a container without privileges
	@scripts/tests/test_service_container.sh build/release

onnx-random: build  # compare COUNT (100,000) random ONNX models with ONNX Runtime or NumPy, and models of open graphs; build/onnx-random keeps those that differ
	@scripts/setup/setup_python.sh
	@scripts/setup/setup_python_package.sh
	@scripts/python.sh tests/onnx/random/random_models_test.py $(or $(COUNT),100000) --seed $(or $(SEED),1) --keep build/onnx-random
	@scripts/python.sh tests/onnx/random/random_programs_test.py $(or $(COUNT),5000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_sessions_test.py $(or $(COUNT),5000) --seed $(or $(SEED),1) --steps 25 --keep build/onnx-random
	@scripts/python.sh tests/onnx/open_exports_test.py build/release/tests/test_open $(or $(COUNT),5000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_growing_test.py $(or $(COUNT),2000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_lstm_test.py $(or $(COUNT),50000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_products_test.py $(or $(COUNT),20000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_borders_test.py $(or $(COUNT),20000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_chains_test.py $(or $(COUNT),50000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_overlaps_test.py $(or $(COUNT),10000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_pressure_test.py $(or $(COUNT),5000) --seed $(or $(SEED),1)
	@scripts/python.sh tests/onnx/random/random_tiles_test.py $(or $(COUNT),100000) --seed $(or $(SEED),1)

everyday-random: python  # do at random what Python users do every day (sizes, indices, names, forks), TIMES (50) as long as in the tests, from SEED (1)
	@WEBNN_EVERYDAY=$(or $(TIMES),50) WEBNN_EVERYDAY_SEED=$(or $(SEED),1) scripts/tests/test_python_package.sh -q tests/test_random_everyday.py

hostile: build  # give the tool COUNT (10,000) hostile files of every format, and report crashes and other forbidden outcomes
	@python3 scripts/hostile_files.py $(WEBNN) --count $(or $(COUNT),10000)

memory-limits: build  # run the tool RUNS (500) times with 20 to 600 MB of memory: each must exit with a status, not by a signal
	@python3 scripts/memory_limits.py $(WEBNN) --runs $(or $(RUNS),500)

status: build  # run the conformance vectors (VECTORS, default ../shared/wpt) on every backend; writes docs/reference/status.md and docs/reference/status.json
	@scripts/setup/setup_python.sh && scripts/setup/setup_python.sh bench/requirements.txt build/openvino
	@scripts/setup/setup_python.sh tests/coreml/requirements.txt build/coreml && scripts/setup/setup_webgpu.sh
	@scripts/status.sh $(WEBNN) $(or $(VECTORS),../shared/wpt)

drift: build  # compare the operations with the WebNN IDL of the npm package @webref/idl (needs npm)
	@python3 scripts/check_idl.py $(WEBNN)

prose:  ## check comments and pages, or FILES, with Vale and codespell
	@scripts/setup/setup_prose.sh && scripts/check_prose.sh $(FILES)

.PHONY: docs prose
docs: python  ## build the site of the documents into build/site, and check its links
	@scripts/setup/setup_docs.sh
	@scripts/docs.sh

layers: build  ## check that dependencies point one way
	@python3 tests/base/layers_test.py build/release

tables: tool  ## print the operation table again where the repository holds it: docs/reference/ops.md, the C API, the Rust crate, .pyi, .d.ts, .capnp
	@scripts/print_operations.sh $(WEBNN)

first-change: setup  # test docs/guides/add_an_operation.md: follow its steps in a copy of the tree, build/first-change
	@python3 scripts/first_change.py build/first-change

tidy:  ## clang-tidy (.clang-tidy) over all sources, or over FILES
	@python3 scripts/tidy.py $(FILES)

build-report: build  # report how many translation units include the large headers, and which units compile slowest
	@python3 scripts/build_report.py build/release

sizes:  ## no file over 800 lines, no function over 80, no class over 200, no directory over 40 files
	@python3 scripts/check_sizes.py

format:  ## format all C++ sources with the clang-format of .pre-commit-config.yaml
	@scripts/setup/setup_format.sh
	@git ls-files '*.h' '*.hpp' '*.cpp' '*.mm' | xargs build/format/bin/clang-format -i

clean:
	@rm -rf build

help:  ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 10
	@echo "CONTRIBUTING.md lists the long checks, GPU checks and packages."
