import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '#scripts/demo/random.ts';
import { createClient } from './client.ts';
import { createJournal } from './journal.ts';

const FILE = { number: 'PF-1', entries: [{ amount: '100' }] };

/** Faults of a client whose requests are all double clicks, each answered by the replies in turn. */
async function faultsOf(replies: readonly object[], hasTwoReleases: boolean): Promise<string[]> {
  let answered = 0;
  const server = createServer((_request, response) => {
    const reply = replies[answered % replies.length];
    answered += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  using journal = createJournal(join(tmpdir(), `purser-client-test-${process.pid}.log`));
  const client = createClient({
    origins: [`http://127.0.0.1:${port}`],
    journal,
    hasTwoReleases,
    random: { ...seededRandom(1), chance: () => true },
    network: { losesReplies: false },
  });
  await client.send({ cookie: '', path: '/api/admin/payouts/1/download' });
  server.close();
  return journal.faults;
}

test('two releases may answer one key with fields that only one of them knows', async () => {
  const newer = { ...FILE, messageId: 'M-1' };
  expect(await faultsOf([FILE, newer], true)).toEqual([]);
  expect(await faultsOf([newer, FILE], true)).toEqual([]);
  expect(await faultsOf([FILE, newer], false)).toHaveLength(1);
});

test('two releases may not answer one key with another value', async () => {
  const other = { ...FILE, entries: [{ amount: '200' }] };
  const more = { ...FILE, entries: [...FILE.entries, ...FILE.entries] };
  expect(await faultsOf([FILE, other], true)).toHaveLength(1);
  expect(await faultsOf([FILE, more], true)).toHaveLength(1);
});
