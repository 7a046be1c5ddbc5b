/**
 * `npm run keys`: which keys are in use, and how they are replaced while servers work. Who has the
 * machine may do so; the audit trail names the system. docs/keys.md says in what order.
 *
 *     -- status                 what is encrypted under which master key, and who signs the ledger
 *     -- rotate                 wraps all persons' keys under the first master key
 *     -- rotate-secret          encrypts the secrets of authenticator apps under the first PURSER_SECRET
 *     -- replace-signing-key    hands the ledger over to the next key, signed by both
 *
 * Each may be killed at any time and run again. Exits 1 when it could not be done.
 */
import type { Config } from '#server/config/config.ts';
import { openCompany } from '#server/startup/database.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { StartError } from '#server/lib/start-error.ts';
import { silentLog } from '#server/lib/log.ts';
import { secretsOf, signingKeyPlace } from '#server/config/local-secrets.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { readSecretUse, rotateSecret } from '#server/modules/identity/index.ts';
import {
  createSealer,
  findNextSigningKeys,
  findSigningKey,
  LedgerError,
  loadNextSigningKey,
  promoteNextSigningKey,
  readSigningHistory,
} from '#server/modules/ledger/index.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import { orStopped, runProgram, settingsOf } from '#server/programs/run-command.ts';
import type { CommandLine } from '#server/programs/run-command.ts';
import type { MasterKey } from '#server/vault/keys.ts';
import { readKeyUse, rotateMasterKey } from '#server/vault/rotate.ts';

interface Place {
  db: Db;
  config: Config;
  masterKeys: readonly MasterKey[];
  secrets: readonly string[];
  print: CommandLine['print'];
}

const COMMANDS: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  status: printStatus,
  rotate,
  'rotate-secret': rotateSecrets,
  'replace-signing-key': replaceSigningKey,
};

async function printStatus(place: Place): Promise<void> {
  const { db, masterKeys, print } = place;
  const uses = await readKeyUse(db);
  const names = new Set([
    ...masterKeys.map(({ id }) => id),
    ...uses.map(({ masterKeyId }) => masterKeyId),
  ]);
  for (const id of names) {
    const use = uses.find(({ masterKeyId }) => masterKeyId === id);
    const index = masterKeys.findIndex((key) => key.id === id);
    const role = index === 0 ? 'current' : index > 0 ? 'former' : 'NOT CONFIGURED, and needed';
    const people = use?.dataKeys ?? 0;
    const lookups = use?.lookupSecrets ?? 0;
    const end = index > 0 && people + lookups === 0 ? ': can be removed' : '';
    print(
      `Master key ${id} (${role}): the keys of ${people} people, the lookup secrets of ${lookups} former keys${end}`,
    );
  }
  await printSecretUse(place);
  await printSigningKeys(place);
}

async function printSecretUse({
  db,
  secrets,
  print,
}: Omit<Place, 'config' | 'masterKeys'>): Promise<void> {
  const { formerApps, formerCodes } = await readSecretUse(db, secrets);
  print(
    `PURSER_SECRET: the authenticator apps of ${formerApps} people and the recovery codes of ${formerCodes} are under a former secret`,
  );
}

async function rotateSecrets(place: Place): Promise<void> {
  const { db, secrets, print } = place;
  const count = await rotateSecret(db, secrets);
  if (count > 0) {
    await withTx(db, (tx) =>
      recordAudit(tx, {
        by: { actor: 'system' },
        action: 'keys.secret_rotated',
        subjectType: 'company_settings',
        subjectId: null,
        details: { count },
      }),
    );
  }
  print(`The authenticator apps of ${count} people were moved to the current secret.`);
  await printSecretUse(place);
}

async function printSigningKeys({ db, print }: Pick<Place, 'db' | 'print'>): Promise<void> {
  const history = await readSigningHistory(db);
  if (history.length === 0) print('Ledger: nothing is sealed yet');
  for (const [index, { publicKey, fromHeight }] of history.entries()) {
    const until = history[index + 1]?.fromHeight;
    print(
      `Ledger: blocks from ${fromHeight}${until === undefined ? '' : ` to ${until - 1n}`} are signed by ${publicKey}`,
    );
  }
}

async function rotate(place: Place): Promise<void> {
  const { db, masterKeys, print } = place;
  const [current] = masterKeys;
  if (current === undefined) throw new StartError('No master key is configured; give one.');
  const former = (await readKeyUse(db)).filter(({ masterKeyId }) => masterKeyId !== current.id);
  const count = await rotateMasterKey(db, masterKeys, (done) =>
    print(`${done} people's keys are under ${current.id}`),
  );
  if (former.length === 0) {
    print(`Everything is under master key ${current.id} already.`);
  } else {
    await withTx(db, (tx) =>
      recordAudit(tx, {
        by: { actor: 'system' },
        action: 'keys.master_key_rotated',
        subjectType: 'company_settings',
        subjectId: null,
        details: { from: former.map(({ masterKeyId }) => masterKeyId), to: current.id, count },
      }),
    );
  }
  await printStatus(place);
}

async function replaceSigningKey(at: Place): Promise<void> {
  const { db, config, print } = at;
  const place = signingKeyPlace(config);
  const signingKey = findSigningKey(place);
  if (signingKey === undefined) {
    throw new StartError(
      'There is no signing key here: run this where the settings of the servers are.',
    );
  }
  const successor = loadNextSigningKey(place);
  const roots = createRootStore({ ...config, onFailure: (error) => print(String(error)) });
  const sealer = createSealer({
    db,
    signingKey,
    formerKeys: config.ledgerFormerKeys,
    furtherKeys: () => findNextSigningKeys(place),
    roots,
    log: silentLog,
  });
  try {
    const block = await sealer.handOver(successor);
    if (block === null) print('The ledger is signed by the next key already.');
    else print(`Block ${block.height} hands the ledger over, signed by both keys.`);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new StartError(`Nothing is handed over: ${error.message}`, { cause: error });
  } finally {
    await roots.close();
  }
  if (config.ledgerKey === null && config.ledgerNextKey === null) {
    promoteNextSigningKey(config.dataDir);
  } else {
    print(
      'Now make the next key PURSER_LEDGER_KEY everywhere, and take PURSER_LEDGER_NEXT_KEY away.',
    );
  }
  await printSigningKeys(at);
}

/** The command. */
export async function keysCommand({
  args,
  env,
  print,
  printError,
  stopped,
}: CommandLine): Promise<void> {
  const [name = '', ...more] = args;
  const command = COMMANDS[name];
  if (command === undefined || more.length > 0) {
    throw new StartError(`Say what to do: one of ${Object.keys(COMMANDS).join(', ')}.`);
  }
  const config = settingsOf({ env, printError });
  const database = await openCompany(config, print);
  const pool = createPool({ url: database.appUrl, max: 1, applicationName: 'purser-keys' });
  try {
    const place = { db: createDb(pool), config, ...secretsOf(config), print };
    await orStopped(stopped, `Stopped. What was done stays; run "keys ${name}" again.`, () =>
      command(place),
    );
  } finally {
    await pool.end();
    await database.stop();
  }
}

if (import.meta.main) await runProgram(keysCommand);
