import { existsSync, readFileSync } from 'node:fs';

/** A chunk of the built app, in Vite's manifest. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  /** Keys of the chunks it depends on. */
  imports?: readonly string[];
  css?: readonly string[];
}

export type Manifest = Readonly<Record<string, Chunk>>;

/** First request of every page: the session. */
const FIRST_REQUEST = '/api/session';
/** Requests of the frame around every signed-in screen. */
const SIGNED_IN_REQUEST = '/api/shell';

/** Next to the built app and not in it: browsers need not know how it is split. */
export function readManifest(root: string): Manifest | null {
  const file = `${root}.manifest.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : null;
}

/**
 * `Link` header of a page: the requests of its screen at the app's start, so that the browser sends
 * them while the app loads and not afterwards. Screens are in pages/ under the name of their route.
 *
 * @param path of the page, `/employee/dashboard`
 * @param hasSession true if the browser sent a session's cookie, valid or not
 */
export function preloadsOf(manifest: Manifest, path: string, hasSession: boolean): string {
  const requests =
    hasSession && isArea(path) ? [FIRST_REQUEST, SIGNED_IN_REQUEST] : [FIRST_REQUEST];
  return [
    ...screenFiles(manifest, path, hasSession).map((file) =>
      file.endsWith('.css')
        ? `</${file}>; rel=preload; as=style; crossorigin`
        : `</${file}>; rel=modulepreload`,
    ),
    ...requests.map((request) => `<${request}>; rel=preload; as=fetch; crossorigin`),
  ].join(', ');
}

/** Scripts and styles of a screen that index.html does not name already. */
export function screenFiles(manifest: Manifest, path: string, hasSession: boolean): string[] {
  const files = new Set<string>();
  for (const key of screenOf(path, hasSession)) addFiles(manifest, key, files);
  const loaded = new Set<string>();
  for (const [key, { isEntry }] of Object.entries(manifest)) {
    if (isEntry === true) addFiles(manifest, key, loaded);
  }
  return [...files].filter((file) => !loaded.has(file));
}

function isArea(path: string): boolean {
  return path.startsWith('/employee/') || (path.startsWith('/admin/') && path !== '/admin/setup');
}

function screenOf(path: string, hasSession: boolean): string[] {
  if (path === '/admin/setup') return ['pages/public/admin-setup.tsx'];
  if (isArea(path)) {
    const [, area] = path.split('/');
    return [`pages/${area}/layout.tsx`, `pages${path}.tsx`];
  }
  // The first step of onboarding is signing in, whose code the app starts with.
  const isWizard = path === '/onboarding' && hasSession;
  return isWizard ? ['pages/public/onboarding-steps.tsx'] : [];
}

/** The chunk of that name with its styles and dependencies; an address may have any name. */
function addFiles(manifest: Manifest, key: string, files: Set<string>): void {
  const chunk = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
  if (chunk === undefined || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const needed of chunk.imports ?? []) addFiles(manifest, needed, files);
}
