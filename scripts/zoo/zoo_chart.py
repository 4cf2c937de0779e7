"""The chart of docs/reference/performance.md, as SVG, for scripts/bench_zoo.py."""

import html

from zoo import zoo_figures

TITLE = 'Geometric means of the times of ONNX Runtime and OpenVINO divided by those of libwebnn, for each processor'
WIDTH, LEFT, RIGHT = 700, 76, 56  # widths of the picture, of the names, and of the figure beside the longest bar
# Heights of the legend, a panel's title, a bar, the space below the bars of one width of weights, and the label of the line at 1.
TOP, HEAD, BAR, GAP, BOTTOM = 32, 32, 15, 10, 24
# Without CSS variables, which some viewers do not know.
STYLE = (
    'svg{font:13px system-ui,sans-serif}.t{font-weight:600}'
    'text{fill:#1f2328}.page{fill:#fff}.one{stroke:#59636e;stroke-dasharray:4 3}.onnxruntime{fill:#2563eb}.openvino{fill:#e07b00}'
    '@media (prefers-color-scheme:dark){'
    'text{fill:#f0f6fc}.page{fill:#0d1117}.one{stroke:#c3ccd6}.onnxruntime{fill:#4f8cff}.openvino{fill:#f0a04b}}'
)


def panels_of(figures):
    """Returns a panel for each processor and number of threads: (title, [(width of the weights, [(peer, geometric mean)])]).
    Leaves out peers without a ratio."""
    panels = []
    for title, threads in zoo_figures.columns(figures):
        groups = []
        for bits, name in zoo_figures.BITS.items():
            means = {peer: zoo_figures.ratios(figures[title]['models'], threads, peer, bits) for peer in zoo_figures.PEERS}
            groups.append((name, [(peer, zoo_figures.geometric_mean(ratios)) for peer, ratios in means.items() if ratios]))
        panels.append((zoo_figures.column_title(title, threads), [(name, bars) for name, bars in groups if bars]))
    return panels


def chart(figures):
    """Returns a picture of the geometric means of the ratios: in each panel, a bar for each width of the weights and peer."""
    panels = panels_of(figures)
    most = max([1, *(mean for _, groups in panels for _, bars in groups for _, mean in bars)])
    unit = (WIDTH - LEFT - RIGHT) / most  # the length of a bar of 1
    lines, y = [f'<text x="{WIDTH - 12}" y="25" text-anchor="end">time divided by that of libwebnn</text>'], TOP
    path = ''  # the line at 1
    for index, (peer, name) in enumerate(zoo_figures.PEERS.items()):
        x = 12 + 130 * index
        lines.append(f'<rect class="{peer}" x="{x}" y="13" width="14" height="14"/><text x="{x + 20}" y="25">{name}</text>')
    for processor, groups in panels:
        lines.append(f'<text class="t" x="12" y="{y + 24}">{html.escape(processor)}</text>')
        y += HEAD
        path += f'M{LEFT + unit:.1f} {y - 5}'
        for name, bars in groups:
            lines.append(f'<text x="{LEFT - 8}" y="{y + len(bars) * BAR / 2 + 4:g}" text-anchor="end">{name}</text>')
            for peer, mean in bars:
                x = LEFT + max(mean, 1) * unit + 6  # right of the line at 1
                lines.append(f'<rect class="{peer}" x="{LEFT}" y="{y}" width="{mean * unit:.1f}" height="{BAR - 1}"/>')
                lines.append(f'<text x="{x:.1f}" y="{y + 12}">{mean:.2f}</text>')
                y += BAR
            y += GAP
        path += f'V{y - 5}'
    height = y + BOTTOM
    size = f'width="{WIDTH}" height="{height}"'
    lines.append(f'<path class="one" d="{path}"/>')
    lines.append(f'<text x="{LEFT + unit:.1f}" y="{y + 12}" text-anchor="middle">1: as fast as libwebnn</text>')
    head = f"""<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {height}" role="img">
<title>{TITLE}</title>
<style>{STYLE}</style>
<rect class="page" {size}/>
"""
    return head + '\n'.join(lines) + '\n</svg>\n'
