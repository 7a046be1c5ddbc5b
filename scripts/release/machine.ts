import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '#server/lib/start-error.ts';

const BOOT_MS = 60_000;
const STOP_MS = 60_000;
const NEEDED = {
  mmdebstrap: 'mmdebstrap',
  'systemd-nspawn': 'systemd-container',
  nsenter: 'util-linux',
};

/** A Debian that runs with an init of its own and no network but its loopback. */
export interface Machine {
  /** Its root folder, as this machine sees it. */
  root: string;
  /** Runs lines of a shell in it as root. @throws Error with what they printed, when one fails */
  run(lines: string): string;
  stop(): Promise<void>;
}

/** @throws StartError naming what is missing */
export function assertCanBoot(): void {
  const missing = Object.entries(NEEDED).filter(
    ([program]) => spawnSync('which', [program]).status !== 0,
  );
  if (missing.length > 0) {
    throw new StartError(`Install with: apt install ${missing.map(([, name]) => name).join(' ')}`);
  }
  if (process.getuid?.() !== 0) throw new StartError('Run this as root: it boots a Debian.');
}

/**
 * Unpacks a fresh Debian 12 with these packages. It is made by mmdebstrap and kept as a file, which is used again.
 *
 * @param archive path of that file
 */
export function makeRoot(root: string, packages: readonly string[], archive: string): void {
  if (!existsSync(archive)) {
    const include = ['systemd-sysv', 'dbus', ...packages].join(',');
    execFileSync('mmdebstrap', ['--variant=minbase', `--include=${include}`, 'bookworm', archive], {
      stdio: 'pipe',
    });
  }
  mkdirSync(root, { recursive: true });
  execFileSync('tar', ['--extract', '--file', archive, '--directory', root, '--exclude=./dev/*']);
}

/** Boots it in namespaces of its own. */
export async function boot(root: string): Promise<Machine> {
  const flags = ['--register=no', '--keep-unit', '--private-network', '--quiet', '--boot'];
  const child = spawn('systemd-nspawn', ['-D', root, ...flags], {
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'exit');
  const giveUpAt = Date.now() + BOOT_MS;
  for (;;) {
    const init = initOf(child.pid);
    if (init !== undefined) {
      const machine = machineOf(root, init, async () => {
        if (child.exitCode !== null) return;
        // Asks the init to shut down, as the signal of a power button.
        execFileSync('kill', ['-s', 'RTMIN+4', String(init)]);
        const killing = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
        await ended;
        clearTimeout(killing);
      });
      if (isBooted(machine)) return machine;
    }
    if (child.exitCode !== null) throw new Error('The machine ended while it was starting.');
    if (Date.now() > giveUpAt) throw new Error('The machine does not start.');
    await sleep(500);
  }
}

/** Process id of its init, the one child of systemd-nspawn. */
function initOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  const file = join('/proc', String(pid), 'task', String(pid), 'children');
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return children === '' ? undefined : Number(children.split(' ')[0]);
}

function isBooted(machine: Machine): boolean {
  try {
    machine.run(
      'systemctl is-system-running --wait || test "$(systemctl is-system-running)" = degraded',
    );
    return true;
  } catch {
    return false;
  }
}

function machineOf(root: string, init: number, stop: () => Promise<void>): Machine {
  const inside = ['--target', String(init), '--all', '--root', '--wdns=/root'];
  const clean = [
    'env',
    '-i',
    'HOME=/root',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
  ];
  return {
    root,
    stop,
    run(lines) {
      const shell = [...clean, 'bash', '--norc', '-euo', 'pipefail', '-c', lines];
      const { status, stdout, stderr } = spawnSync('nsenter', [...inside, ...shell], {
        encoding: 'utf8',
        timeout: 300_000,
      });
      if (status !== 0) throw new Error(`${lines}\n\n${stdout}${stderr}\nexit code ${status}`);
      return stdout;
    },
  };
}
