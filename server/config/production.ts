import type { Problems } from './problems.ts';
import { weakSecrets } from './weak-secrets.ts';

type Read = (name: string) => string | null;

const REQUIRED = [
  'PURSER_URL',
  'PURSER_SECRET',
  'PURSER_MASTER_KEY',
  'PURSER_LEDGER_KEY',
  'SMTP_URL',
];
/** Hosts whose traffic does not leave the machine. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Adds all settings that are missing, as one sentence. */
export function addMissing(read: Read, problems: Problems): void {
  const missing = REQUIRED.filter((name) => read(name) === null && !problems.has(name));
  if (missing.length === 0) return;
  problems.add(
    'missing',
    `Production does not start without ${missing.join(', ')}; docs/operating.md says what to set.`,
  );
}

/**
 * Adds settings of a production start by which passwords, sessions or files travel in clear, and secrets that open more
 * than one door. Sentences name the setting, never its value.
 *
 * @param read gives no setting whose form is wrong
 */
export function addUnsafe(read: Read, problems: Problems): void {
  // Node takes any certificate then, of mail, database, files and webhooks alike.
  if (read('NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    problems.add(
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off; leave it out, and name an authority of your own in NODE_EXTRA_CA_CERTS.',
    );
  }
  if (/^http:/i.test(read('PURSER_URL') ?? '')) {
    problems.add('PURSER_URL', 'PURSER_URL has to begin with https:// in production.');
  }
  for (const name of ['PURSER_FILES', 'PURSER_LEDGER_ROOTS']) {
    if (isPlainEndpoint(read(name))) {
      problems.add(name, `The endpoint in ${name} has to begin with https:// in production.`);
    }
  }
  for (const [name, sentence] of weakSecrets(read)) problems.add(name, sentence);
}

/** True for an S3 endpoint on another machine that is reached without TLS. */
function isPlainEndpoint(address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false;
  const endpoint = new URL(address).searchParams.get('endpoint') ?? '';
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !LOCAL_HOSTS.includes(hostname);
}

/** Settings with which production starts, and which its operator should know of; a sentence each. */
export function productionWarnings(read: Read): string[] {
  return [
    ...(read('LOG_LEVEL') === 'debug'
      ? [
          'Warning: LOG_LEVEL is debug, so the log has more of people than it needs. Set info once the fault is found.',
        ]
      : []),
    ...(read('DATABASE_URL') === null
      ? [
          'Warning: production runs on the embedded database, which is a beta by name. Set DATABASE_URL to a PostgreSQL of your own.',
        ]
      : []),
  ];
}
