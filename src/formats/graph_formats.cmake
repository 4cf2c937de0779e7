# Readers and writers of graphs.
set(graph_format_sources)
