import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_FLAGS } from '#server/lib/node-flags.ts';
import { startPart } from './part.ts';
import type { Part, Place } from './part.ts';

const ROOT = join(import.meta.dirname, '../..');

export type Environment = Readonly<Record<string, string>>;

interface Around {
  folder: string;
  databaseUrl: string;
  /** Address at which people reach Purser: that of nginx. */
  publicUrl: string;
  /** Port of Postfix. */
  smtpPort: number;
  /** PEM of the certificate that is its own authority. */
  certificate: string;
}

/** The whole environment of a Purser in production, with secrets of this run. */
export function purserEnvironment(around: Around): Environment {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    PURSER_HOST: '127.0.0.1',
    PURSER_DATA: join(around.folder, 'purser'),
    PURSER_URL: around.publicUrl,
    PURSER_TRUSTED_PROXIES: '127.0.0.1',
    PURSER_SECRET: randomBytes(32).toString('base64'),
    PURSER_MASTER_KEY: `run:${randomBytes(32).toString('base64')}`,
    PURSER_LEDGER_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    DATABASE_URL: around.databaseUrl,
    SMTP_URL: `smtp://localhost:${around.smtpPort}?requireTLS=true`,
    NODE_EXTRA_CA_CERTS: around.certificate,
  };
}

/** Starts one process as `npm run serve` does, and waits until it answers that it is ready. */
export async function startPurser(
  place: Place,
  env: Environment,
  { name, port }: { name: string; port: number },
): Promise<Part> {
  const part = await startPart(place, {
    name,
    program: process.execPath,
    args: [...NODE_FLAGS, join(ROOT, 'server/programs/main.ts'), '--production'],
    port,
    isUnprivileged: false,
    env: { ...env, PORT: String(port) },
  });
  await untilReady(port);
  return part;
}

async function untilReady(port: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    const said = await response.text();
    if (response.ok) return;
    if (tries === 300) throw new Error(`Purser is not ready: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs one of the commands of the server, `invite` or `verify`, in the same environment. */
export async function runCommand(
  env: Environment,
  command: 'invite' | 'verify',
  ...args: string[]
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'server/programs', `${command}.ts`), ...args],
    { env: { PATH: process.env['PATH'], ...env } },
  );
  return stdout;
}
