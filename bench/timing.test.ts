import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { PATHS } from '#contract/paths.ts';
import { slowestOf, TimedFigures } from './timing.ts';
import type { Case } from './timing.ts';

test('a read that fails is missed, and the others are measured', async () => {
  const [slow, quick]: Case[] = [
    { name: 'adminListAudit', what: 'first view', input: {} },
    { name: 'adminListBills', what: 'first view', input: {} },
  ];
  const server = createServer((request, response) => {
    const isSlow = request.url?.startsWith(PATHS.adminListAudit[1]) === true;
    response.writeHead(isSlow ? 503 : 200).end(isSlow ? 'statement timeout' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const asker = { url: `http://127.0.0.1:${port}`, cookie: '' };
  const said: string[] = [];
  const figures = new TimedFigures((sentence) => said.push(sentence));
  for (const one of [slow, quick]) {
    if (one !== undefined) await figures.time(one, () => slowestOf(asker, one, 3, 60_000));
  }
  expect(figures.end()).toBe(false);
  server.close();
  const table = said.at(-1) ?? '';
  expect(table).toMatch(
    /adminListAudit: first view +Error: .*503 statement timeout +an answer +missed/,
  );
  expect(table).toMatch(/adminListBills: first view +[\d.]+ ms +at most 60000 ms +met/);
});
