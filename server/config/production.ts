import { StartError } from '#server/lib/start-error.ts';
import { refuseWeakSecrets } from './weak-secrets.ts';

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

/** @throws {StartError} naming all settings that are missing */
export function refuseMissing(read: Read): void {
  const missing = REQUIRED.filter((name) => read(name) === null);
  if (missing.length === 0) return;
  throw new StartError(
    `Production does not start without ${missing.join(', ')}; docs/operating.md says what to set.`,
  );
}

/**
 * Refuses settings of a production start by which passwords, sessions or files travel in clear, and
 * secrets that open more than one door. Their form was checked before.
 *
 * @throws {StartError} naming the setting, never its value
 */
export function refuseUnsafe(read: Read): void {
  // Node takes any certificate then, of mail, database, files and webhooks alike.
  if (read('NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    throw new StartError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off; leave it out, and name an authority of your own in NODE_EXTRA_CA_CERTS.',
    );
  }
  if (!read('PURSER_URL')?.toLowerCase().startsWith('https:')) {
    throw new StartError('PURSER_URL has to begin with https:// in production.');
  }
  for (const name of ['PURSER_FILES', 'PURSER_LEDGER_ROOTS']) refusePlainEndpoint(name, read(name));
  refuseWeakSecrets(read);
}

/** @throws {StartError} for an S3 endpoint on another machine that is reached without TLS */
function refusePlainEndpoint(name: string, address: string | null): void {
  if (address === null || !URL.canParse(address)) return;
  const endpoint = new URL(address).searchParams.get('endpoint') ?? '';
  if (!URL.canParse(endpoint)) return;
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === 'http:' && !LOCAL_HOSTS.includes(hostname)) {
    throw new StartError(`The endpoint in ${name} has to begin with https:// in production.`);
  }
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
