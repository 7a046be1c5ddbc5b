import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The server of the end-to-end tests: what `npm start` runs, on a data folder of its own that is
 * removed at the end. Playwright starts it with PORT set and ends it with SIGTERM.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'purser-e2e-'));
// Under root PostgreSQL is another user, which has to pass through to keep its data in here.
chmodSync(dataDir, 0o711);
const server = spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], {
  stdio: 'inherit',
  env: { ...process.env, PURSER_DATA: join(dataDir, 'data') },
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => server.kill('SIGTERM'));
}
server.on('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
