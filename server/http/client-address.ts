import type { BlockList } from 'node:net';
import { isIP } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The client's address. X-Forwarded-For is trusted only as far as trusted proxies wrote it. Read
 * from its end, the first address that is no trusted proxy is the client, because the client itself
 * could have made up anything before that.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trustedProxies: BlockList,
): string | null {
  let address = plainAddress(socketAddress ?? '');
  if (address === null) return null;
  for (const hop of (forwardedFor ?? '').split(',').toReversed()) {
    if (!isTrusted(address, trustedProxies)) return address;
    const previous = plainAddress(hop.trim());
    if (previous === null) return address;
    address = previous;
  }
  return address;
}

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  return trustedProxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Null for text that is no address; an IPv4-mapped IPv6 address is written as IPv4. */
function plainAddress(text: string): string | null {
  const address = MAPPED_IPV4.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? null : address;
}
