/**
 * `npm run try-release`: makes the archive and follows docs/install.md with it, word for word, on a fresh Debian that is
 * booted in namespaces of its own: its own systemd, PostgreSQL and nginx, no network, no npm and no compiler. Then the
 * first administrator signs up over https (a mail would confirm it; there is no mail server), the service is killed and started again, and the books are verified. Also
 * `purser start`, with the embedded database, as a user without rights, and a backup of it that is restored for a trial.
 *
 *     -- --archive file    tries that archive, in place of making one
 *     -- --root file       keeps the fresh Debian in that file, and takes it from there the next time
 *
 * Needs root, and `apt install mmdebstrap systemd-container`. Prints a line for each step; exits 1 at the first failure.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { blocksOf } from '#scripts/real-parts/documented.ts';
import { StartError } from '#server/lib/start-error.ts';
import { assertCanBoot, boot, makeRoot } from './machine.ts';
import type { Machine } from './machine.ts';
import { makeRelease } from './make.ts';

const HOST = 'pay.example.com';

async function step(name: string, work: () => Promise<string> | string): Promise<void> {
  const startedMs = performance.now();
  const outcome = await work();
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7);
  console.log(`${seconds} s  ${name}${outcome === '' ? '' : `: ${outcome.trim()}`}`);
}

/** Packages that the page installs: they are in the root already, which has no network. */
function packagesOf(blocks: readonly string[]): string[] {
  const line = blocks.join('').match(/^apt-get install --yes (.+)$/m)?.[1];
  if (line === undefined) throw new Error('docs/install.md installs no packages');
  return line.split(' ');
}

/** Things that an operator brings: the name in the DNS, and a certificate that the machine believes. */
const BROUGHT = `
echo '127.0.0.1 localhost ${HOST}' > /etc/hosts
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${HOST} \
  -addext subjectAltName=DNS:${HOST} -keyout /etc/ssl/${HOST}.key -out /etc/ssl/${HOST}.pem
cp /etc/ssl/${HOST}.pem /usr/local/share/ca-certificates/pay.crt
update-ca-certificates`;

const NOTHING_ELSE = `
for program in npm node gcc cc make python3; do
  if command -v $program; then echo "$program is there"; exit 1; fi
done`;

/** The first administrator, over https. Prints what the server answered last. */
const SIGN_UP = `
token=$(purser-admin invite | sed -n 's/.*invite=//p')
ask() { curl --silent --show-error --fail --cookie-jar /var/tmp/jar --cookie /var/tmp/jar \
  --header 'content-type: application/json' --header 'origin: https://${HOST}' "$@"; }
ask --data "{\\"email\\":\\"aanya@pay.example.com\\",\\"password\\":\\"Correct-horse-2026\\",\\"firstName\\":\\"Aanya\\",\\"lastName\\":\\"Rao\\",\\"invite\\":\\"$token\\"}" \
  https://${HOST}/api/auth/sign-up
ask https://${HOST}/sign-in | grep --quiet '<title>'
ask https://${HOST}/healthz`;

const KILLED = `
kill -KILL "$(systemctl show --property MainPID --value purser)"
sleep 3
curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors https://${HOST}/readyz
systemctl show --property NRestarts purser
purser-admin verify | tail -n 1
systemd-analyze security purser.service | tail -n 1`;

const EMBEDDED = `
install --directory --owner purser --group purser --mode 700 /srv/trial
cd /srv/trial
runuser --user purser -- env PURSER_DATA=/srv/trial PORT=3100 /opt/purser/bin/purser start > /var/tmp/trial.log 2>&1 &
trial=$!
curl --silent --show-error --fail --retry 120 --retry-delay 1 --retry-all-errors http://127.0.0.1:3100/readyz
kill $trial
wait $trial || true
grep --quiet 'invite=' /var/tmp/trial.log
as_purser() { runuser --user purser -- env PURSER_DATA=/srv/trial PURSER_BACKUPS=/tmp/backups "$@"; }
key=$(as_purser /opt/purser/bin/purser backup --make-key /tmp/backup.key | sed -n 's/^PURSER_BACKUP_KEY=//p')
as_purser PURSER_BACKUP_KEY="$key" /opt/purser/bin/purser backup
as_purser /opt/purser/bin/purser restore --identity /tmp/backup.key --drill | grep 'The ledger is sound'`;

async function followPage(machine: Machine, blocks: readonly string[]): Promise<void> {
  // One shell for all, as an operator has it.
  const lines = blocks.join('\n').replaceAll(/^apt-get install .+$/gm, '');
  await step('docs/install.md is followed', () => {
    const said = machine.run(lines);
    writeFileSync(join(machine.root, 'root/install.log'), said);
    return `${blocks.length} blocks; ${said.trim().split('\n').at(-1)}`;
  });
}

async function main(): Promise<void> {
  const options = { archive: { type: 'string' }, root: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  assertCanBoot();
  const folder = mkdtempSync(join(tmpdir(), 'purser-machine-'));
  await using closing = new AsyncDisposableStack();
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  let archive = values.archive;
  await step('The archive', async () => (archive ??= await makeRelease()));
  const root = join(folder, 'root');
  const blocks = blocksOf('docs/install.md', 'sh');
  await step('A fresh Debian', () => {
    makeRoot(root, packagesOf(blocks), values.root ?? join(folder, 'root.tar'));
    for (const file of [archive, `${archive}.sha256`]) {
      cpSync(String(file), join(root, 'root', basename(String(file))));
    }
    return '';
  });
  const machine = await boot(root);
  closing.defer(() => machine.stop());
  await step('It has no npm, no Node and no compiler', () => machine.run(NOTHING_ELSE));
  await step('Name and certificate', () => machine.run(BROUGHT) && '');
  await followPage(machine, blocks);
  await step('A person signs up over https with the invite', () => machine.run(SIGN_UP));
  await step('The service is killed, starts again, and the books are sound', () =>
    machine.run(KILLED),
  );
  await step('purser start, backup and a trial of it, with the embedded database', () =>
    machine.run(EMBEDDED),
  );
}

try {
  await main();
  console.log('\nEverything held.');
} catch (error) {
  process.exitCode = 1;
  const words = error instanceof Error ? error.message : String(error);
  console.error(error instanceof StartError ? words : `\nFailed: ${words}`);
}
