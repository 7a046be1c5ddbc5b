import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';

/**
 * The server of the end-to-end tests: what `npm start` runs, on a data folder that is made again and
 * removed at the end. Playwright starts it with PORT and PURSER_DATA set and ends it with SIGTERM.
 */
const dataDir = process.env['PURSER_DATA'];
if (!dataDir) throw new Error('Set PURSER_DATA to a folder that the tests may delete.');
// One that runs here already has this folder. Playwright starts another if it answers 503 for a moment.
const port = createServer().listen(Number(process.env['PORT']), '127.0.0.1');
await once(port, 'listening');
port.close();
const home = dirname(dataDir);
// The parent goes as well. It is never a folder of others, such as /tmp.
if (!basename(home).startsWith('purser-')) {
  throw new Error(
    `PURSER_DATA is a folder in one named purser-..., which is deleted; not in ${home}.`,
  );
}
rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
// Under root PostgreSQL is another user, which has to pass through to keep its data in here.
chmodSync(home, 0o711);
const server = spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], {
  stdio: 'inherit',
  env: process.env,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => server.kill('SIGTERM'));
}
server.on('exit', (code) => {
  rmSync(home, { recursive: true, force: true });
  process.exit(code ?? 1);
});
