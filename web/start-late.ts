/**
 * Starts the app of a page whose first view the server has drawn. It waits until that is painted,
 * so that styles and fonts have the connection to themselves. `data-files` names the app, which
 * comes first, and the files its screen needs. This file imports nothing, because modules shared
 * with the app would be loaded with it.
 */
const script = document.querySelector<HTMLScriptElement>('script[data-files]');
const files = script?.dataset['files']?.split(' ') ?? [];
/**
 * Age of the page at which the app is fetched in any case. By then the styles are about to arrive.
 */
const FETCH_FROM_MS = 500;
/** Age at which the app starts in a browser that does not report its first paint. */
const START_FROM_MS = 3_000;

let isFetching = false;
let isStarting = false;

function fetchFiles(): void {
  if (isFetching) return;
  isFetching = true;
  for (const file of files) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.append(link);
  }
}

function start(): void {
  const [app] = files;
  if (isStarting || app === undefined) return;
  isStarting = true;
  fetchFiles();
  const run = () => void import(/* @vite-ignore */ app).catch(reportFailure);
  // The elements that the app takes over must exist.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run);
  else run();
}

/** Reports the failure, because the drawn page looks as if it could be used. */
function reportFailure(): void {
  const notice = document.createElement('div');
  notice.className = 'start-failure';
  notice.setAttribute('role', 'alert');
  const again = document.createElement('a');
  again.href = location.href;
  again.textContent = 'Try again';
  notice.append('Purser could not be loaded. Please check your connection. ', again);
  document.body.prepend(notice);
}

function waitFrom(ms: number, then: () => void): void {
  setTimeout(then, Math.max(0, ms - performance.now()));
}

// A background tab paints nothing until it becomes visible.
if (document.hidden) start();
new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) start();
}).observe({ type: 'paint', buffered: true });
waitFrom(FETCH_FROM_MS, fetchFiles);
waitFrom(START_FROM_MS, start);
