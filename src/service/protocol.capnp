# The messages between a client and its worker. Dispatches use the mailbox (mailbox.h) instead.
#
# The client and the worker have a packet socket (SOCK_SEQPACKET). Each packet is one message in Cap'n Proto's standard framing,
# of at most kMostPacketBytes (packet.h). The client sends requests; the worker answers each once, in the order of the requests.
# Graphs and tensors are in shared memory, because they are large. Only the client creates shared memory: a worker never
# sends a file descriptor.
@0xc784e8b4b8d533d0;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("webnn::service::schema");

struct Request {
  id @0 :UInt64;  # counts from 1
  union {
    create @1 :Create;               # the first request
    shareMemory @2 :ShareMemory;     # the packet carries the memory's file descriptor
    dropMemories @3 :List(UInt32);   # ids of memories; each is unmapped when no graph or dispatch uses it any more
    compile @4 :Compile;
    destroyGraphs @5 :List(UInt32);
    notes @6 :Page;                  # asks for the notes of a graph
    steps @7 :Page;                  # asks for the step times of the graph's last dispatch with profiling
    placement @8 :Page;              # asks for the placement of a graph's operations
  }
}

struct Reply {
  id @0 :UInt64;  # the request's id
  union {
    failure @1 :Failure;
    created @2 :Created;
    done @3 :Void;
    compiled @4 :Compiled;
    notes @5 :List(Text);   # the notes from index Page.first on, as many as fit into a packet
    steps @6 :List(Step);
    placement @7 :List(Placement);
  }
}

struct Failure {
  kind @0 :UInt8;     # index in ErrorKind
  message @1 :Text;   # at most 4 KiB
}

struct Create {
  # The context that the worker serves.
  backend @0 :Text;  # empty: the best available backend
  accelerated @1 :Bool;
  powerPreference @2 :UInt8;
  threads @3 :UInt32;  # 0: the number of processors. The worker uses at most the maximum in the service's configuration
  backendOptions @4 :List(Setting);
  limits @5 :Limits;
}

struct Setting {
  name @0 :Text;
  value @1 :Text;
}

struct Limits {
  memory @0 :UInt64;
  operations @1 :UInt64;
  elements @2 :UInt64;
  compileWork @3 :UInt64;
}

struct Created {
  backend @0 :Text;
  accelerated @1 :Bool;
  isa @2 :Text;           # instruction set of the CPU engine
  version @3 :Text;       # version of libwebnn in the worker
  operations @4 :Operations;
}

struct Operations {
  # The backend's OpSupportLimits. A set of data types is a bit mask: bit i is the i-th enumerator of DataType.
  preferredInputLayout @0 :UInt8;
  maxTensorByteLength @1 :UInt64;
  input @2 :TensorLimits;
  constant @3 :TensorLimits;
  output @4 :TensorLimits;
  operands @5 :List(Operand);

  struct TensorLimits {
    dataTypes @0 :UInt32;
    minRank @1 :UInt32;
    maxRank @2 :UInt32;
  }
  struct Operand {
    operation @0 :Text;
    name @1 :Text;
    limits @2 :TensorLimits;
  }
}

struct ShareMemory {
  # A memfd with seals, so that no process can shrink or grow it.
  memory @0 :UInt32;    # id of the memory, chosen by the client
  byteLength @1 :UInt64;
}

struct Compile {
  graph @0 :UInt32;          # id of the graph, chosen by the client
  memory @1 :UInt32;         # the memory with the graph's message (webnn.capnp) at offset 0
  byteLength @2 :UInt64;
  constants @3 :UInt32;      # the memory with the graph's constants, sealed against writing; equal to `memory` if there are none
}

struct Compiled {
  memoryInUse @0 :UInt64;   # bytes of memory that the executable uses
  notes @1 :UInt32;         # number of notes
}

struct Page {
  graph @0 :UInt32;
  first @1 :UInt32;
}

struct Step {
  operation @0 :Text;
  label @1 :Text;
  kernel @2 :Text;
  start @3 :Float64;
  duration @4 :Float64;
}

struct Placement {
  # Where and how an operation runs. A long placement is split into several Placement structs with the same `operation`.
  operation @0 :UInt32;   # index of the operation in the graph
  state @1 :UInt8;        # index in PlacementState
  device @2 :Text;
  kernels @3 :List(Text);
  steps @4 :List(UInt32);
  notes @5 :List(Text);
}
