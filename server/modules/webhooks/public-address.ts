import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Resolves a name to its addresses; rejects if it has none. A parameter, so that tests can replace
 * it.
 */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/** Resolves names with this machine's resolver. */
export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

/**
 * Addresses outside the public internet: of this machine, of a private network, of the cloud's
 * metadata service, shared, reserved, for documentation, or multicast (IANA's special-purpose
 * registries, RFC 6890).
 */
const NOT_PUBLIC = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [network = '', bits] = range.split('/');
  NOT_PUBLIC.addSubnet(network, Number(bits), 'ipv4');
}

/**
 * IPv6 addresses are public only in the range that is assigned to networks, without the parts that
 * embed IPv4 addresses.
 */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) {
  const [network = '', bits] = range.split('/');
  NOT_PUBLIC.addSubnet(network, Number(bits), 'ipv6');
}

/** True if messages may be sent to that IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/** Addresses of a URL's host: the literal address, or the ones that its name resolves to. */
export async function addressesOf(
  url: string,
  resolve: ResolveHost,
): Promise<readonly LookupAddress[]> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  return family === 0 ? resolve(host) : [{ address: host, family }];
}
