import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '#server/lib/free-port.ts';
import { ownFolder } from './database.ts';
import { startPart } from './part.ts';
import type { Part, Place } from './part.ts';
import type { Programs } from './programs.ts';
import type { Certificate } from './web.ts';

/** Domain of everybody who is mailed. Postfix delivers its mail locally. */
export const MAIL_DOMAIN = 'crew.example';

/** The services of Postfix that take mail and deliver it here: name, type, chroot and number, program. */
const SERVICES = [
  'cleanup unix n - n - 0 cleanup',
  'qmgr unix n - n 300 1 qmgr',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce',
  'defer unix - - n - 0 bounce',
  'trace unix - - n - 0 bounce',
  'error unix - - n - - error',
  'retry unix - - n - - error',
  'proxymap unix - - n - - proxymap',
  'virtual unix - n n - - virtual',
  'anvil unix - - n - 1 anvil',
  'postlog unix-dgram n - n - 1 postlogd',
];

export interface MailServer extends Part {
  /** Folder of delivered mails, one file each. */
  delivered: string;
}

/** Starts Postfix on loopback. It speaks TLS alone and delivers everything to one mailbox. */
export async function startPostfix(
  place: Place,
  { postfix }: Programs,
  { certificate, key }: Certificate,
): Promise<MailServer> {
  const port = await freePort();
  const home = join(place.folder, 'postfix');
  const [settings, queue, data] = [join(home, 'etc'), join(home, 'queue'), join(home, 'data')];
  for (const folder of [settings, queue, data]) mkdirSync(folder, { recursive: true });
  chmodSync(home, 0o755);
  chownSync(data, idOf('postfix'), 0);
  const mailboxes = ownFolder(place, 'mailboxes');
  const { uid, gid } = place.account;
  writeFileSync(
    join(settings, 'main.cf'),
    [
      'compatibility_level = 3.6',
      `queue_directory = ${queue}`,
      `data_directory = ${data}`,
      `maillog_file_prefixes = ${place.folder}`,
      `maillog_file = ${join(home, 'mail.log')}`,
      'myhostname = localhost.localdomain',
      'mydestination =',
      'inet_interfaces = loopback-only',
      'inet_protocols = ipv4',
      'mynetworks = 127.0.0.0/8',
      'smtpd_relay_restrictions = permit_mynetworks, reject',
      'smtpd_tls_security_level = encrypt',
      `smtpd_tls_cert_file = ${certificate}`,
      `smtpd_tls_key_file = ${key}`,
      'alias_maps =',
      'alias_database =',
      `virtual_mailbox_domains = ${MAIL_DOMAIN}`,
      `virtual_mailbox_base = ${mailboxes}`,
      'virtual_mailbox_maps = static:all/',
      `virtual_minimum_uid = ${uid}`,
      `virtual_uid_maps = static:${uid}`,
      `virtual_gid_maps = static:${gid}`,
      '',
    ].join('\n'),
  );
  const smtpd = `127.0.0.1:${port} inet n - n - - smtpd`;
  writeFileSync(join(settings, 'master.cf'), `${[smtpd, ...SERVICES].join('\n')}\n`);
  const part = await startPart(place, {
    name: 'postfix',
    program: postfix,
    args: ['-c', settings, 'start-fg'],
    port,
    isUnprivileged: false,
  });
  return {
    ...part,
    delivered: join(mailboxes, 'all/new'),
    async stop() {
      await promisify(execFile)(postfix, ['-c', settings, 'stop']);
      return part.stop();
    },
  };
}

function idOf(user: string): number {
  return Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
}
