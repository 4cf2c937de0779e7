;; Exports each function of WASI-NN, so that a test calls the functions from inside a WebAssembly program. Each function returns the
;; error code, 0 for success.
(module
  (import "wasi_ephemeral_nn" "load" (func $load (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "load_by_name" (func $load_by_name (param i32 i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "init_execution_context" (func $init_execution_context (param i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "set_input" (func $set_input (param i32 i32 i32) (result i32)))
  (import "wasi_ephemeral_nn" "compute" (func $compute (param i32) (result i32)))
  (import "wasi_ephemeral_nn" "get_output" (func $get_output (param i32 i32 i32 i32 i32) (result i32)))

  (memory (export "memory") 4)

  ;; builders, their number, encoding, target, where to write the graph
  (func (export "load") (param i32 i32 i32 i32 i32) (result i32)
    (call $load (local.get 0) (local.get 1) (local.get 2) (local.get 3) (local.get 4)))

  ;; name, its length, where to write the graph
  (func (export "load_by_name") (param i32 i32 i32) (result i32)
    (call $load_by_name (local.get 0) (local.get 1) (local.get 2)))

  ;; graph, where to write the execution context
  (func (export "init_execution_context") (param i32 i32) (result i32)
    (call $init_execution_context (local.get 0) (local.get 1)))

  ;; execution context, index, tensor
  (func (export "set_input") (param i32 i32 i32) (result i32)
    (call $set_input (local.get 0) (local.get 1) (local.get 2)))

  ;; execution context
  (func (export "compute") (param i32) (result i32)
    (call $compute (local.get 0)))

  ;; execution context, index, buffer, its size, where to write the output's size
  (func (export "get_output") (param i32 i32 i32 i32 i32) (result i32)
    (call $get_output (local.get 0) (local.get 1) (local.get 2) (local.get 3) (local.get 4))))
