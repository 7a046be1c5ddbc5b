import { execFileSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#server/lib/free-port.ts';
import { ownFolder } from './database.ts';
import { documentedConfiguration } from './documented.ts';
import { startPart } from './part.ts';
import type { Part, Place } from './part.ts';
import type { Programs } from './programs.ts';

/** A certificate for `localhost` that is its own authority. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** Makes a certificate that nginx and Postfix show, and that Purser and this script believe. */
export function createCertificate({ folder, account }: Place, { openssl }: Programs): Certificate {
  const files = { certificate: join(folder, 'localhost.pem'), key: join(folder, 'localhost.key') };
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    files.key,
    '-out',
    files.certificate,
  ];
  execFileSync(openssl, args, { stdio: 'pipe' });
  // nginx reads it as this account; Postfix reads it before it gives up root.
  chownSync(files.key, account.uid, account.gid);
  return files;
}

interface NginxOptions {
  port: number;
  /** Ports of the Purser processes behind it. */
  behind: readonly [number, number];
  certificate: Certificate;
}

/** Places of the documented lines that a run replaces. */
export const NGINX_PLACES = [
  'server 127.0.0.1:3000;',
  'listen 80;',
  'listen 443 ssl;',
  'server_name pay.example.com;',
  '/etc/ssl/pay.example.com.pem',
  '/etc/ssl/pay.example.com.key',
] as const;

/** Starts nginx with TLS and the documented configuration in front of two processes. */
export async function startNginx(
  place: Place,
  programs: Programs,
  { port, behind, certificate }: NginxOptions,
): Promise<Part> {
  const home = ownFolder(place, 'nginx');
  const [process, plain, listen, name, pem, key] = NGINX_PLACES;
  const documented = documentedConfiguration('nginx', {
    [process]: behind.map((one) => `server 127.0.0.1:${one};`).join(' '),
    [plain]: `listen 127.0.0.1:${await freePort()};`,
    [listen]: `listen 127.0.0.1:${port} ssl;`,
    [name]: 'server_name localhost;',
    [pem]: certificate.certificate,
    [key]: certificate.key,
  });
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const settings = join(home, 'nginx.conf');
  const lines = [
    'daemon off;',
    `pid ${join(home, 'pid')};`,
    'events {}',
    'http {',
    `access_log ${join(home, 'access.log')};`,
    ...kinds.map((kind) => `${kind}_temp_path ${join(home, kind)};`),
    documented,
    '}',
  ];
  writeFileSync(settings, lines.join('\n'));
  return startPart(place, {
    name: 'nginx',
    program: programs.nginx,
    args: ['-p', home, '-c', settings, '-e', 'stderr'],
    port,
    isUnprivileged: true,
    stopSignal: 'SIGQUIT',
  });
}
