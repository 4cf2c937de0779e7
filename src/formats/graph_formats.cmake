# Readers and writers of graphs.
set(graph_format_sources
  formats/document_build.cpp formats/document_of.cpp formats/document_read.cpp formats/load.cpp formats/options.cpp
  formats/save.cpp formats/values.cpp
  formats/dot/dot.cpp
  formats/json/fields.cpp formats/json/graph_info.cpp formats/json/graph_json.cpp formats/json/parse.cpp formats/json/value.cpp
  formats/text/lexer.cpp formats/text/reader.cpp formats/text/writer.cpp)
