import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApp } from '#test/app.ts';
import type { TestApp, TestRequest } from '#test/app.ts';
import { OPERATIONS } from '#test/operations.ts';
import { ownershipCases } from '#test/ownership-cases.ts';
import type { OwnershipCase } from '#test/ownership-cases.ts';
import type { Someone } from '#test/ownership-things.ts';
import { tableSums } from '#test/table-sums.ts';

/**
 * Every operation of an employee that takes an id, asked by another employee about what is not
 * theirs: refused exactly as an id that does not exist, and nothing changes.
 */
let purser: TestApp;
let owners: Awaited<ReturnType<typeof ownershipCases>>;

beforeAll(async () => {
  purser = await openTestApp();
  owners = await ownershipCases(purser);
});
afterAll(() => purser.close());

/** Every field of an employee's operation that is an id. */
const FIELDS = OPERATIONS.filter(({ spec }) =>
  ['employee', 'signedIn'].includes(spec.access),
).flatMap((operation) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    idsIn(operation.spec[part]).map((field) => ({
      ...operation,
      part,
      field,
      key: `${operation.name} ${field}`,
    })),
  ),
);

function idsIn(schema: z.ZodObject | undefined): string[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(json.properties ?? {}).flatMap(([name, property]) => {
    const isId = typeof property === 'object' && property.format === 'uuid';
    return isId || name === 'id' || name.endsWith('Id') ? [name] : [];
  });
}

/** Ids of others by purpose: whom to pay. */
const OF_OTHERS = ['payPerson recipientId'];
const OWN_FIELDS = FIELDS.filter(({ key }) => !OF_OTHERS.includes(key));

test('no field is left out', () => {
  expect(OWN_FIELDS.map(({ key }) => key).toSorted()).toEqual(Object.keys(owners.cases).toSorted());
});

describe.each(OWN_FIELDS)('$key', ({ key, method, path, spec, part, field }) => {
  async function ask(who: Someone, id: string, holder: Someone): Promise<Response> {
    const parts = (await owners.cases[key]?.parts?.(who, id, holder)) ?? {};
    const query = new URLSearchParams({
      ...parts.query,
      ...(part === 'query' && { [field]: id }),
    });
    const at = path
      .replace('{id}', part === 'params' ? id : (parts.pathId ?? ''))
      .replace('{side}', 'front');
    const { bytes, body } = parts;
    const sent = part === 'body' ? { ...body, [field]: id } : (bytes ?? body);
    const request: TestRequest = { cookie: who.cookie, key: randomUUID(), body: sent };
    return purser.ask(method, `${at}?${query.toString()}`, request);
  }

  async function refusal(who: Someone, id: string, holder: Someone): Promise<object> {
    const response = await ask(who, id, holder);
    const { requestId, ...problem } = (await response.json()) as Record<string, unknown>;
    expect(requestId).toEqual(expect.any(String));
    for (const name of ['x-request-id', 'ratelimit-remaining', 'ratelimit-reset']) {
      response.headers.delete(name);
    }
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, headers, problem };
  }

  test('refuses a thing of another employee like one that does not exist', async () => {
    const thing = owners.cases[key] as OwnershipCase;
    const [holder, stranger] = thing.isOfApplicants
      ? [await owners.applicant(), await owners.applicant()]
      : owners.payees;
    const id = await thing.make(holder);
    const missing = id.replace(/^[0-9a-f-]{36}/, randomUUID());
    const before = await tableSums(purser.db);
    const refused = await refusal(stranger, id, holder);
    expect(await tableSums(purser.db)).toEqual(before);
    expect(refused).toEqual(await refusal(stranger, missing, holder));
    expect(spec.errors).toContain((refused as { problem: { code: string } }).problem.code);
    // The id is a real one, and nothing else is wrong with the request.
    expect((await ask(holder, id, holder)).status).toBe(spec.status);
  });
});
