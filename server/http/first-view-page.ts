import { readFileSync } from 'node:fs';
import { FIRST_REPLIES } from '#contract/first-view.ts';
import type { DrawnView } from './first-view-worker.ts';
import type { Manifest } from './preloads.ts';

/** index.html, split into the parts that the page moves. */
export interface Template {
  html: string;
  /** The app's element. */
  app: string;
  /** Scripts that start the app, once the view was painted. */
  late: string;
}

const APP_SCRIPT = /<script type="module" crossorigin src="([^"]+)"><\/script>\s*/;
const TITLE = /<title>[^<]*<\/title>/;
const ROOT = /<div id="root">[\s\S]*?<\/main>\s*<\/div>/;

/** @returns null if the built page lacks the places to fill */
export function readTemplate(root: string, manifest: Manifest): Template | null {
  const html = readFileSync(`${root}/index.html`, 'utf8');
  const app = APP_SCRIPT.exec(html)?.[1];
  const late = manifest['start-late.ts']?.file;
  const isWhole = app !== undefined && late !== undefined && TITLE.test(html) && ROOT.test(html);
  return isWhole ? { html: html.replace(APP_SCRIPT, ''), app, late: `/${late}` } : null;
}

/**
 * Nothing in it can be pressed or typed into before the app is there, because the input would be
 * lost.
 */
export function writePage(
  { html, app, late }: Template,
  view: DrawnView,
  files: readonly string[],
): string {
  const addresses = files.map((file) => `/${file}`);
  const styles = addresses
    .filter((address) => address.endsWith('.css'))
    .map((address) => `<link rel="stylesheet" crossorigin href="${address}">`);
  const scripts = [app, ...addresses.filter((address) => address.endsWith('.js'))];
  const start = `<script type="module" async src="${late}" data-files="${scripts.join(' ')}"></script>`;
  return html
    .replace(TITLE, () => `<title>${view.title}</title>`)
    .replace('</head>', () => `${styles.join('')}${start}</head>`)
    .replace(
      ROOT,
      () =>
        `<div id="root"><div class="first-view" inert>${view.html}</div></div>` +
        `<script type="application/json" id="${FIRST_REPLIES}">${view.replies}</script>`,
    );
}
