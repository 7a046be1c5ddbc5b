import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

/**
 * `npm run dev`: the server with the demo company, restarted when its code changes, and the web app
 * from Vite with hot reload. Ends with the server.
 */
const ROOT = join(import.meta.dirname, '..');

const server = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    join(ROOT, 'server/programs/main.ts'),
    '--demo',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const web = await createServer({ configFile: join(ROOT, 'vite.config.ts') });
await web.listen();
web.printUrls();

// Ctrl-C reaches the server by itself; a signal sent to this process alone is passed on.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => server.kill('SIGTERM'));
server.on('exit', (code) => {
  void web.close().finally(() => process.exit(code ?? 1));
});
