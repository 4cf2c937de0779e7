# What a client and its worker say to each other, beside the mailbox of dispatches (mailbox.h).
#
# They share a socket of packets (SOCK_SEQPACKET). Each packet is one message in the standard framing, of at most kMostPacketBytes
# (packet.h). The client asks, the worker answers each request once, in the order of the requests. What is large, graphs and
# tensors, lies in shared memory, which only the client makes: a worker never sends a descriptor.
@0xc784e8b4b8d533d0;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("webnn::service::schema");

struct Request {
  id @0 :UInt64;  # counts from 1
  union {
    create @1 :Create;               # the first request
    shareMemory @2 :ShareMemory;     # comes with the memory's descriptor
    dropMemories @3 :List(UInt32);   # of which no graph or dispatch is made any more; unmapped once what uses them is gone
    compile @4 :Compile;
    destroyGraphs @5 :List(UInt32);
    notes @6 :Page;                  # of a graph
    steps @7 :Page;                  # of the last dispatch of a graph that asked for them
    placement @8 :Page;              # of a graph
  }
}

struct Reply {
  id @0 :UInt64;  # of the request
  union {
    failure @1 :Failure;
    created @2 :Created;
    done @3 :Void;
    compiled @4 :Compiled;
    notes @5 :List(Text);   # from the first that was asked for, as many as a packet holds; fewer follow
    steps @6 :List(Step);
    placement @7 :List(Placement);
  }
}

struct Failure {
  kind @0 :UInt8;     # the place in ErrorKind
  message @1 :Text;   # at most 4 KiB
}

struct Create {
  # The context that the worker serves.
  backend @0 :Text;  # empty: the best
  accelerated @1 :Bool;
  powerPreference @2 :UInt8;
  threads @3 :UInt32;  # 0: as many as there are processors; the worker takes the configured maximum if that is less
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
  isa @2 :Text;           # of the engine
  version @3 :Text;       # of the library
  operations @4 :Operations;
}

struct Operations {
  # OpSupportLimits. Data types are bits, from the first of DataType.
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
  # A memfd that nobody can shrink, grow or seal further.
  memory @0 :UInt32;    # its number, of the client's choice
  byteLength @1 :UInt64;
}

struct Compile {
  graph @0 :UInt32;          # its number, of the client's choice
  memory @1 :UInt32;         # where its message lies (webnn.capnp), at offset 0
  byteLength @2 :UInt64;
  constants @3 :UInt32;      # the memory of its constants, sealed against writing; that of the message if there are none
}

struct Compiled {
  memoryInUse @0 :UInt64;   # bytes that the executable holds
  notes @1 :UInt32;         # how many there are
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
  # What became of an operation, or more of it.
  operation @0 :UInt32;   # its place in the graph
  state @1 :UInt8;        # the place in PlacementState
  device @2 :Text;
  kernels @3 :List(Text);
  steps @4 :List(UInt32);
  notes @5 :List(Text);
}
