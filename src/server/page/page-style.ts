/** The page's one style sheet. Colours are named by meaning, and each has two shades: for light and for dark. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --text: #1a1f26; --dim: #59636f; --none: #8a939d; --line: #e1e5ea;
  --good: #17743f; --busy: #1261b5; --warn: #875400; --held: #6b3fb5; --bad: #b42318; --place: #0f6674;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1116; --card: #161a21; --text: #e5e8ed; --dim: #9aa4b1; --none: #66707c; --line: #272d36;
    --good: #52c98b; --busy: #71b1ff; --warn: #e2b14f; --held: #bf9dff; --bad: #ff8279; --place: #63c6d4;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 84rem; padding: 0 1.5rem 3rem; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
h1, h2, h3, p, ul, ol { margin: 0; padding: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 2.25rem 0 0.75rem; font-size: 1.0625rem; }
h3 { font-size: 0.9375rem; display: flex; flex-wrap: wrap; gap: 0.25rem 0.625rem; align-items: center; }
code { font: 0.8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
a { color: var(--busy); }
:focus-visible { outline: 2px solid var(--busy); outline-offset: 2px; border-radius: 3px; }
.dim { color: var(--dim); } .none { color: var(--none); }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.place { color: var(--place); }
.plain, .labels { list-style: none; }
.unseen, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

.bar {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; align-items: center;
  padding: 0.875rem 0; margin-bottom: 1.25rem; border-bottom: 1px solid var(--line);
}
.brand { font-weight: 600; color: var(--dim); }
#connection { display: none; }
.js #connection { display: flex; align-items: center; gap: 0.5rem; color: var(--dim); }
#connection::before { content: ""; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--none); }
#connection[data-state="live"]::before { background: var(--good); }
#connection[data-state="lost"] { color: var(--bad); font-weight: 600; }
#connection[data-state="lost"]::before { background: var(--bad); }
main { transition: opacity 0.2s; }
.lost main { opacity: 0.6; }

.summary { margin-top: 0.5rem; font-size: 1.0625rem; }
.empty { padding: 1.25rem; border: 1px dashed var(--line); border-radius: 0.625rem; color: var(--dim); max-width: 46rem; }
.card, .clusters { background: var(--card); border: 1px solid var(--line); border-radius: 0.625rem; }
.card { padding: 0.875rem 1rem; margin-top: 0.75rem; }
.chip {
  --tone: var(--dim); display: inline-flex; align-items: center; gap: 0.375rem; padding: 0.0625rem 0.5625rem;
  border-radius: 1rem; font-size: 0.8125rem; font-weight: 500; white-space: nowrap;
  color: var(--tone); background: color-mix(in srgb, var(--tone) 12%, transparent);
}
.chip::before { content: ""; width: 0.4375rem; height: 0.4375rem; border-radius: 50%; background: currentColor; }
.chip.good { --tone: var(--good); } .chip.busy { --tone: var(--busy); } .chip.warn { --tone: var(--warn); }
.chip.held { --tone: var(--held); } .chip.bad { --tone: var(--bad); }

.clusters { width: 100%; border-collapse: separate; border-spacing: 0; }
.clusters th, .clusters td { padding: 0.5625rem 0.875rem; text-align: left; vertical-align: top; font-weight: 400; }
.clusters thead th { color: var(--dim); font-size: 0.8125rem; }
.clusters .whole > *, .clusters .first > * { border-top: 1px solid var(--line); }
.clusters .number { text-align: right; }
.clusters .number.warn, .clusters .number.held, .clusters .number.bad { font-weight: 600; }
.clusters .number.held { color: var(--held); }
.clusters .state .dim { white-space: nowrap; margin-left: 0.25rem; }
.clusters .first > * { padding-bottom: 0.125rem; }
.clusters .note td { padding-top: 0.125rem; color: var(--bad); overflow-wrap: anywhere; }
.labels { display: flex; flex-wrap: wrap; gap: 0.125rem 0.75rem; color: var(--dim); font-size: 0.8125rem; }
.labels li { overflow-wrap: anywhere; }

.message { margin-top: 0.25rem; overflow-wrap: anywhere; white-space: pre-wrap; }
.message + .message { margin-top: 0; }
.remedy { margin-top: 0.25rem; color: var(--dim); }
.command { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
.command code { padding: 0.25rem 0.625rem; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--page); }
.copy { display: none; }
.js .copy {
  display: inline-block; font: inherit; font-size: 0.8125rem; padding: 0.25rem 0.75rem; cursor: pointer;
  color: var(--text); background: transparent; border: 1px solid var(--line); border-radius: 0.375rem;
}
.copy:hover { border-color: var(--dim); }
details { margin-top: 0.25rem; } summary { cursor: pointer; color: var(--dim); }
.object { overflow-wrap: anywhere; }

.drift { padding: 0.5rem 0 0.375rem; }
.drift + .drift { border-top: 1px solid var(--line); }
.drift .head { position: relative; padding-left: 1.25rem; display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; }
.outcome { color: var(--dim); margin-left: auto; overflow-wrap: anywhere; }
.sign { position: absolute; left: 0; font: 700 0.9375rem/1.5 var(--mono); color: var(--warn); }
.sign.missing, .sign.conflict { color: var(--bad); } .sign.extra { color: var(--good); }
.sign.unlabelled { color: var(--held); }
.fields { padding: 0.125rem 0 0.25rem 1.25rem; }
.fields li { display: grid; grid-template-columns: minmax(10rem, 3fr) 4fr 4fr; gap: 0 1rem; padding: 0.0625rem 0; }
.fields .path { color: var(--dim); }
footer { margin-top: 2.5rem; padding-top: 0.875rem; border-top: 1px solid var(--line); font-size: 0.8125rem; }

@media (prefers-reduced-motion: no-preference) {
  [data-fresh] { animation: fresh 2s ease-out; }
  @keyframes fresh { from { background: color-mix(in srgb, var(--warn) 18%, transparent); } }
}
@media (max-width: 44rem) {
  body { padding: 0 1rem 2rem; }
  .clusters, .clusters tbody { display: block; }
  .clusters thead { display: none; }
  .clusters tbody + tbody { border-top: 1px solid var(--line); }
  .clusters tbody { padding: 0.75rem 1rem; }
  .clusters tr { display: grid; grid-template-columns: repeat(4, 1fr); gap: 0.375rem 0.5rem; }
  .clusters th, .clusters td, .clusters .whole > *, .clusters .first > *, .clusters .note td { padding: 0; border: 0; }
  .clusters th[scope="row"], .clusters .state, .clusters td[data-label="Revision"], .clusters .note td { grid-column: 1 / -1; }
  .clusters td.number { text-align: left; }
  .clusters td[data-label]::before { content: attr(data-label); display: block; color: var(--dim); font-size: 0.75rem; font-weight: 400; }
  .clusters td[data-label="Revision"]::before { display: inline; margin-right: 0.5rem; }
  .clusters .note { margin-top: 0.375rem; }
  .fields li { grid-template-columns: 1fr; padding: 0.25rem 0; }
  .outcome { margin-left: 0; flex-basis: 100%; }
}
@media (forced-colors: active) { .chip { border: 1px solid; } }
`;
