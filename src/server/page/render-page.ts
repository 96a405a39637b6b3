import { html, Html } from './html.ts';
import type { Fragment } from './render-fragment.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/**
 * The whole page around a fragment, in one file: it is complete without its script, which only keeps it up to date.
 * Script and style are constants of ours, and must stay byte for byte what the policy's hashes were made of. Pure.
 */
export function renderPage({ title, body }: Fragment): string {
  const script = new Html(`<script>${pageScript}</script>`);
  const style = new Html(`<style>${pageStyle}</style>`);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${style}
        <noscript><meta http-equiv="refresh" content="15" /></noscript>
      </head>
      <body>
        <a class="skip" href="#clusters">To the clusters</a>
        <div class="bar">
          <p class="brand">Fleetwright</p>
          <p id="connection" role="status">connecting…</p>
          <noscript><p class="dim">Without scripts, the page reloads itself every 15 seconds.</p></noscript>
        </div>
        <main>${body}</main>
        <p id="announcement" class="unseen" role="status"></p>
        ${script}
      </body>
    </html>`;
  return page.markup;
}
