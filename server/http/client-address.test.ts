import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress } from './every-request.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8, 'ipv4');
proxies.addAddress('::1', 'ipv6');

test.each<[string, string | undefined, string | null, string | null]>([
  ['the socket, without a proxy', '203.0.113.9', null, '203.0.113.9'],
  ['the socket, when it is no trusted proxy', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ['the client before one proxy', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
  ['the client before two proxies', '10.1.2.3', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
  ['not what the client made up', '10.1.2.3', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
  ['a proxy over IPv6', '::1', '2001:db8::7', '2001:db8::7'],
  ['IPv4 in IPv6 clothes', '::ffff:203.0.113.9', null, '203.0.113.9'],
  ['a trusted proxy in IPv6 clothes', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['the proxy, when it names nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
  ['the proxy, when it names nobody', '10.1.2.3', null, '10.1.2.3'],
  ['nobody, without a socket', undefined, '198.51.100.7', null],
])('finds %s', (_what, socket, forwarded, expected) => {
  expect(clientAddress(socket, forwarded, proxies)).toBe(expected);
});
