/** All settings, as docs/operating.md lists them. `NAME_FILE` may name a file with the value of one that is a secret. */
const SETTINGS = {
  DATABASE_URL: 'secret',
  LOG_LEVEL: 'plain',
  MAIL_FROM: 'plain',
  PORT: 'plain',
  PURSER_BACKUPS: 'plain',
  PURSER_BACKUP_DAYS: 'plain',
  PURSER_BACKUP_KEY: 'plain',
  PURSER_DATA: 'plain',
  PURSER_FILES: 'plain',
  PURSER_HOST: 'plain',
  PURSER_LEDGER_FORMER_KEYS: 'plain',
  PURSER_LEDGER_KEY: 'secret',
  PURSER_LEDGER_NEXT_KEY: 'secret',
  PURSER_LEDGER_ROOTS: 'plain',
  PURSER_MASTER_KEY: 'secret',
  PURSER_METRICS_TOKEN: 'secret',
  PURSER_READS_PER_MINUTE: 'plain',
  PURSER_REPLICA_URL: 'secret',
  PURSER_SECRET: 'secret',
  PURSER_TRUSTED_PROXIES: 'plain',
  PURSER_URL: 'plain',
  SMTP_URL: 'secret',
} as const satisfies Record<string, 'plain' | 'secret'>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Settings that `NAME_FILE` may name a file of, as systemd and container engines pass secrets on. */
export const SECRET_NAMES = SETTING_NAMES.filter((name) => SETTINGS[name] === 'secret');

/** Variables of the installed command, of tests and of trials, and the ones Kubernetes makes for a service "purser". */
const OTHERS =
  /^PURSER_(?:NODE_FLAGS|CHROMIUM|TEST\w*|E2E\w*|CHAOS_SEED|MODEL_\w+|KILL_CYCLES|COMPARED|PAYOUT_ITEMS|SERVICE_(?:HOST|PORT)\w*|PORT_\d+_\w+)$/;

/** A sentence for each variable that looks like a setting and is none: a typing error changes nothing otherwise. */
export function unknownNameWarnings(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = [...SETTING_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`)];
  return Object.keys(environment)
    .filter((name) => name.startsWith('PURSER_') && environment[name]?.trim())
    .filter((name) => !known.includes(name) && !OTHERS.test(name))
    .filter((name) => !/^\w+:\/\//.test(name === 'PURSER_PORT' ? String(environment[name]) : ''))
    .map((name) => {
      const near = nearest(name, known);
      const advice = near === undefined ? '' : ` Is ${near} meant?`;
      return `Warning: ${name} is no setting of Purser and has no effect.${advice}`;
    });
}

const MAX_DISTANCE = 3;

/** The known name that takes the fewest changes, with or without the prefix; undefined if none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((one) => ({
      one,
      changes: Math.min(distance(name, one), distance(name.slice('PURSER_'.length), one)),
    }))
    .toSorted((left, right) => left.changes - right.changes);
  return best !== undefined && best.changes <= MAX_DISTANCE ? best.one : undefined;
}

/** Number of letters to insert, delete or replace (Levenshtein). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(left).entries()) {
    const next = [index + 1];
    for (const [at, other] of Array.from(right).entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
