import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** The addresses of a name; rejects where it has none. Handed in, so that tests can be another network. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/** As this machine resolves names. */
export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

/**
 * Addresses that are not of the public internet: of this machine, of a private network, of the cloud's
 * metadata service, shared, reserved, for documentation, or for many receivers (IANA's special-purpose
 * registries, RFC 6890).
 */
const NOT_PUBLIC = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]) {
  const [network = '', bits] = range.split('/');
  NOT_PUBLIC.addSubnet(network, Number(bits), 'ipv4');
}

/** Of IPv6 only what is given out to networks is public, and of that not what stands for IPv4. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) {
  const [network = '', bits] = range.split('/');
  NOT_PUBLIC.addSubnet(network, Number(bits), 'ipv6');
}

/** Whether a message may be sent to that IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/** The addresses of a URL's host: the one that it is written with, or what its name resolves to. */
export async function addressesOf(
  url: string,
  resolve: ResolveHost,
): Promise<readonly LookupAddress[]> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  return family === 0 ? resolve(host) : [{ address: host, family }];
}
