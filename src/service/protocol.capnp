# What a client and its worker say to each other, beside the ring of commands: see docs/service.md.
@0xc784e8b4b8d533d0;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("webnn::service::schema");

struct Request {
  id @0 :UInt64;
}
