# A graph as a message. Printed from the operation table by `webnn ops --format=capnp`.
@0xe0dbad11bac914d5;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("webnn::service::schema");

struct Graph {
  name @0 :Text;
}
