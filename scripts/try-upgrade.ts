/**
 * `npm run try-upgrade`: a former version of Purser serves the demo company; this version starts on the same database next
 * to it, which migrates it; both serve the same people for a while; the former one is stopped, and the books are verified.
 * Then the former version is started again, which has to be refused and to change nothing.
 *
 *     npm run try-upgrade -- --from 5a3b7b17      a tag or a commit; left out: the commit before the newest migration
 *     npm run try-upgrade -- --seconds 60         time in which both serve
 *
 * Works from a clone without a network: the former version is taken from git, with the packages of this checkout. Prints
 * what each version answered, and exits with 1 if money or an acknowledged request is not as it was, or a request failed.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { RouteReply } from '#contract/api.ts';
import { freePort } from '#server/lib/free-port.ts';
import { NODE_FLAGS } from '#server/lib/node-flags.ts';
import { StartError } from '#server/lib/start-error.ts';
import { findFormerVersion, unpackVersion } from './former-version.ts';

const ROOT = join(import.meta.dirname, '..');
const SIGN_IN = { email: 'maya@purser.test', password: 'Demo-purser-2026' };
const START_MS = 300_000;
const PAUSE_MS = 100;

const { values } = parseArgs({
  options: { from: { type: 'string' }, seconds: { type: 'string', default: '20' } },
});
const from = findFormerVersion(values.from);
if (from === null)
  throw new StartError('The former version is not in this clone: git fetch --unshallow --tags');
const home = mkdtempSync(join(tmpdir(), 'purser-upgrade-'));
const dataDir = join(home, 'data');

interface Version {
  name: string;
  folder: string;
}

interface Running {
  name: string;
  origin: string;
  child: ChildProcess;
  said: () => string;
}

function unpackFormer(commit: string): Version {
  const folder = join(home, 'former');
  return { name: `former (${unpackVersion(commit, folder)})`, folder };
}

async function start({ name, folder }: Version): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, [...NODE_FLAGS, 'server/programs/main.ts'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      LOG_LEVEL: 'error',
      PURSER_DATA: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const read = (chunk: Buffer) => void (said += chunk.toString());
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const running = { name, child, origin: `http://127.0.0.1:${port}`, said: () => said };
  const deadline = performance.now() + START_MS;
  while (!(await isReady(running))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`${name} did not start: ${said.trim().split('\n').at(-1)}`);
    }
    await sleep(PAUSE_MS);
  }
  return running;
}

async function isReady({ origin }: Pick<Running, 'origin'>): Promise<boolean> {
  return fetch(`${origin}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

interface Answer {
  status: number;
  reply: unknown;
}

async function ask(
  { origin }: Running,
  path: string,
  { cookie, body, key }: { cookie?: string; body?: unknown; key?: string } = {},
): Promise<Answer & { cookie: string }> {
  const response = await fetch(origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      origin,
      'content-type': 'application/json',
      ...(cookie !== undefined && { cookie }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  return { status: response.status, reply: await response.json(), cookie: cookies.join('; ') };
}

/** The same person at one server: the cookie is signed by the secret that both have. */
async function signIn(server: Running): Promise<string> {
  const { status, reply, cookie } = await ask(server, '/api/auth/sign-in', { body: SIGN_IN });
  if (status !== 200) throw new Error(`sign-in: ${status} ${JSON.stringify(reply)}`);
  return cookie;
}

type Wallets = RouteReply<'listWallets'>;

/** Moves a cent there and back again at both servers in turn; each request is sent to the other one again with its key. */
async function serveBoth(
  servers: readonly [Running, Running],
  cookie: string,
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const { reply } = await ask(servers[0], '/api/wallets', { cookie });
  const [one, other] = (reply as Wallets).accounts.map(({ id }) => id);
  const until = performance.now() + Number(values.seconds) * 1_000;
  for (let turn = 0; performance.now() < until || turn % 2 === 1; turn += 1) {
    const at = Math.floor(turn / 2) % 2;
    const [first, second] = at === 0 ? servers : servers.toReversed();
    if (first === undefined || second === undefined) break;
    const [fromWalletId, toWalletId] = turn % 2 === 0 ? [one, other] : [other, one];
    const amount = { minor: '1', currency: 'USD' };
    const request = { cookie, key: randomUUID(), body: { fromWalletId, toWalletId, amount } };
    const made = await ask(first, '/api/wallets/moves', request);
    const again = await ask(second, '/api/wallets/moves', request);
    const isSame = isDeepStrictEqual([made.status, made.reply], [again.status, again.reply]);
    const read = await ask(first, '/api/history', { cookie });
    count(
      `${first.name}: move ${made.status}, repeated at the other ${isSame ? 'the same' : again.status}, history ${read.status}`,
    );
    await sleep(PAUSE_MS);
  }
  return outcomes;

  function count(outcome: string): void {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
}

function verifyBooks(): boolean {
  try {
    const said = execFileSync(process.execPath, [...NODE_FLAGS, 'server/programs/verify.ts'], {
      cwd: ROOT,
      encoding: 'utf8' as const,
      env: { PATH: process.env['PATH'] ?? '', PURSER_DATA: dataDir },
    });
    console.log(said.trim());
    return true;
  } catch (error) {
    console.log(String((error as { stdout?: string }).stdout ?? error));
    return false;
  }
}

async function tryUpgrade(commit: string): Promise<boolean> {
  const former = unpackFormer(commit);
  const present = { name: 'present', folder: ROOT };
  const old = await start(former);
  console.log(`The ${old.name} version serves the demo company.`);
  const running = [old];
  try {
    const cookie = await signIn(old);
    const before = await ask(old, '/api/wallets', { cookie });
    const startedMs = performance.now();
    const fresh = await start(present);
    running.push(fresh);
    console.log(
      `This version migrated and serves after ${Math.round(performance.now() - startedMs)} ms.`,
    );
    console.log(`The former one says it is ${(await isReady(old)) ? 'ready' : 'not ready'}.`);
    const outcomes = await serveBoth([old, fresh], cookie);
    for (const [outcome, times] of outcomes)
      console.log(`${String(times).padStart(6)} × ${outcome}`);
    await stop(old);
    const after = await ask(fresh, '/api/wallets', { cookie });
    const isKept = isDeepStrictEqual(before.reply, after.reply);
    console.log(isKept ? 'Every account has what it had.' : 'Accounts differ from before.');
    const refusal = await start(former).then(
      async (again) => {
        await stop(again);
        return null;
      },
      (error: unknown) => String(error),
    );
    console.log(refusal ?? 'The former version started on the newer database.');
    const isSound = verifyBooks();
    const areSame = [...outcomes.keys()].every((one) =>
      /move 201, .* the same, history 200$/.test(one),
    );
    return isKept && isSound && areSame && refusal !== null;
  } finally {
    for (const server of running) await stop(server);
  }
}

try {
  process.exitCode = (await tryUpgrade(from)) ? 0 : 1;
  console.log(process.exitCode === 0 ? 'Sound.' : 'Not sound.');
} finally {
  rmSync(home, { recursive: true, force: true });
}
