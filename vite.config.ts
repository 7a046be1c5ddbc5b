import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import type { BuildOptions, Plugin, Rolldown } from 'vite';

const ROOT = import.meta.dirname;

/** Requests that the development server passes on: the API, but not the modules of web/api. */
const PASSED_ON = [String.raw`^/api/(?!.*\.ts(\?|$))`, '/healthz', '/readyz', '/calendars/'];

/** Address it passes them on to. */
const API_URL = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

/** A component's own stylesheet: above the shared ones, below the spacing. */
const OWN_STYLES = /\/web\/(?!styles\/|pages\/dev\/).*\.css$/;

const stylesOfScreens: Plugin = {
  name: 'purser:styles-of-screens',
  enforce: 'pre',
  transform: {
    filter: { id: OWN_STYLES },
    handler: (css) => `@layer screens {\n${css}}\n`,
  },
};

const SCREEN = /\/web\/pages\/(admin|employee|public)\//;

/** Names the group of a module that a screen of employees needs, or a dialog that it loads. */
const sharedWithEmployees: Exclude<Rolldown.CodeSplittingGroup['name'], string> = (id, graph) => {
  // Reading a set continues with what is added meanwhile.
  const above = new Set([id]);
  for (const one of above) {
    const [, area] = SCREEN.exec(one) ?? [];
    if (area !== undefined && area !== 'admin') return 'shared';
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(one) ?? {};
    for (const importer of area === undefined ? [...importers, ...dynamicImporters] : []) {
      above.add(importer);
    }
  }
  return null;
};

/** Build of the app for browsers. */
const WEB_BUILD: BuildOptions = {
  outDir: join(ROOT, 'dist/web'),
  emptyOutDir: true,
  // Gives the server what to preload for a screen.
  manifest: true,
  rolldownOptions: {
    input: [join(ROOT, 'web/index.html'), join(ROOT, 'web/start-late.ts')],
    output: {
      codeSplitting: {
        // Few files a screen, not thirty: what it starts with, what screens share, what only screens of
        // administrators share, and its own.
        groups: [
          { name: 'start', test: /^(?!.*start-late)/, tags: ['$initial'], priority: 4 },
          // Sentences for all refusals: only forms need them before the server answers.
          { name: 'errors', test: /\/contract\/errors\.ts$/, priority: 3 },
          { name: sharedWithEmployees, debugName: 'shared', minShareCount: 3, priority: 2 },
          { name: 'desk', minShareCount: 3, priority: 1 },
        ],
      },
    },
  },
  target: 'es2024',
  // The Content-Security-Policy allows no data: address for scripts, styles or fonts.
  assetsInlineLimit: 0,
  // The polyfill is for browsers older than the target.
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
};

/** Build with which the server draws the first view of a page: the same components, as modules of Node. */
const FIRST_VIEW_BUILD: BuildOptions = {
  outDir: join(ROOT, 'dist/first-view'),
  emptyOutDir: true,
  target: 'es2024',
  reportCompressedSize: false,
};

export default defineConfig(({ isSsrBuild }) => ({
  root: join(ROOT, 'web'),
  // Before others see them: React Aria's 30 languages of its own strings, 32 KB, become one.
  plugins: [
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    react({ jsxImportSource: '#jsx' }),
    stylesOfScreens,
  ],
  build: isSsrBuild === true ? FIRST_VIEW_BUILD : WEB_BUILD,
  // Also what it is made of: React's faster half, of the versions that browsers get.
  ...(isSsrBuild === true && {
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    publicDir: false,
  }),
  server: {
    proxy: Object.fromEntries(
      PASSED_ON.map((path) => [
        path,
        { target: API_URL, changeOrigin: true, headers: { origin: API_URL } },
      ]),
    ),
  },
}));
