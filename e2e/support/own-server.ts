import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { freePort } from '#server/lib/free-port.ts';
import { startServerProcess } from '#test/server-process.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { ShiftedClock } from '#test/shifted-clock.ts';
import { ask, openApi } from './api.ts';
import type { Person } from './company.ts';
import { DATA_DIR } from './place.ts';

/** A server that a test starts for itself, with an empty company. */
interface OwnServer {
  server: ServerProcess;
  origin: string;
  dataDir: string;
}

/**
 * Runs a test with a server of its own. Pages that show it have to leave it within `run`: one that still reads would
 * complain of the server that is gone.
 *
 * @param name begins the name of its folder
 */
export function withOwnServer(name: string, run: (own: OwnServer) => Promise<void>): Promise<void> {
  return inFolder(name, (folder) => withServer(folder, {}, run));
}

/** The same with a clock that the test sets, for what happens on several days. */
export function withShiftedServer(
  { name, time }: { name: string; time: string },
  run: (own: OwnServer & { clock: ShiftedClock }) => Promise<void>,
): Promise<void> {
  return inFolder(name, async (folder) => {
    const file = join(folder, 'clock');
    const clock = new ShiftedClock(file);
    clock.set(time);
    const program = join(import.meta.dirname, '../../test/shifted-server.ts');
    const settings = { environment: { SHIFTED_CLOCK: file }, program };
    await withServer(folder, settings, (own) => run({ ...own, clock }));
  });
}

async function inFolder(name: string, run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(dirname(DATA_DIR), `${name}-`));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(folder, 0o711);
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withServer(
  folder: string,
  { environment, program }: { environment?: Record<string, string>; program?: string },
  run: (own: OwnServer) => Promise<void>,
): Promise<void> {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o711 });
  const settings = { PURSER_DATA: dataDir, PORT: String(await freePort()), ...environment };
  const server = await startServerProcess(settings, program);
  try {
    await run({ server, dataDir, origin: server.origin });
  } finally {
    await server.stop();
  }
}

/** Gives the browser a session at another server. */
export async function signInAt(
  context: BrowserContext,
  origin: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  const api = await openApi(origin);
  await ask(api, 'signIn', { body: { email, password } });
  await context.addCookies((await api.storageState()).cookies);
}
