/** The style of the page: no images, no fonts to load; readable in light and dark, wide and narrow. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1d2430, #e4e8ef);
  --muted: light-dark(#5b6472, #9aa4b4);
  --page: light-dark(#f6f7f9, #12161d);
  --card: light-dark(#ffffff, #1a2029);
  --line: light-dark(#dfe3e9, #2d3542);
  --accent: light-dark(#0b5cad, #7cb8ff);
  --open: light-dark(#0a6b3d, #6fdba6);
  --open-back: light-dark(#e2f5ea, #143426);
  --role-back: light-dark(#e8effa, #1d2d47);
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 3rem 1.25rem 4rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif;
}
main { max-width: 66rem; margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.125rem; }
p { margin: 0 0 .75rem; max-width: 46rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
code, pre { font-family: ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace; font-size: .875em; }
pre {
  margin: 0 0 .75rem; padding: .75rem 1rem; overflow-x: auto;
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.lead, .kind, .none { color: var(--muted); }
.links { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: 0; margin: 1rem 0 0; list-style: none; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .625rem .875rem; text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-size: .8125rem; font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; white-space: nowrap; }
td code { white-space: nowrap; }
.kind { display: block; font-size: .8125rem; font-weight: 400; }
.none { font-size: .875rem; }
.role {
  display: inline-block; margin: 0 .25rem .25rem 0; padding: .0625rem .5rem; border-radius: 1rem;
  background: var(--role-back); color: var(--accent); font-size: .8125rem; white-space: nowrap;
}
.public { background: var(--open-back); color: var(--open); }
summary { cursor: pointer; margin-bottom: .75rem; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr, tbody th, td { display: block; }
  tbody tr { padding: .5rem 0; }
  tbody tr + tr > * { border-top: 0; }
  tbody tr + tr { border-top: 1px solid var(--line); }
  th, td { padding: .1875rem .875rem; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--muted); font-size: .8125rem; }
}
`;
