import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { addMonths, dayIn } from '#contract/calendar.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { openTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { fundedWallet } from './factories/money.ts';
import { createAdmin, createPersonBy } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';

const PATH = '/api/admin/closing';
/** This month, and the two before it, in each of which a payroll was paid. */
export const THIS = dayIn('America/New_York', new Date()).slice(0, 7);
export const LAST = addMonths(`${THIS}-01`, -1).slice(0, 7);
export const FIRST = addMonths(`${THIS}-01`, -2).slice(0, 7);

export type Month = RouteReply<'adminGetMonth'>;
export interface Refused {
  code: string;
  title?: string;
}

interface Company {
  app: TestApp;
  renee: TestPerson;
  theo: TestPerson;
  /** The person who was paid in the first month. */
  owner: CommandContext;
}

/**
 * A company whose administrators close months, for the tests of one file.
 *
 * @param onOpen given the company, before the first test
 */
export function closingFixture(onOpen: (company: Company) => void) {
  const { clock } = createTestServices(`${FIRST}-14T15:00:00.000Z`);
  const cookies = new Map<string, string>();
  let app: TestApp;
  let renee: TestPerson;
  beforeAll(async () => {
    app = await openTestApp({ clock });
    renee = await createAdmin(app.db, app.services, { firstName: 'Renee', lastName: 'Albright' });
    const theo = await createAdmin(app.db, app.services, {
      firstName: 'Theo',
      lastName: 'Marchetti',
    });
    for (const person of [renee, theo]) cookies.set(person.id, await app.cookieOf(person));
    const owner = await createPersonBy(app.db, { firstName: 'Keiko', lastName: 'Tanabe' });
    await sql`UPDATE app_user SET department = 'Kitchen' WHERE id = ${owner.actor.id}`.execute(
      app.db,
    );
    await fundedWallet(app.db, { ...app.services, clock }, owner, 100_000n, 'savings');
    clock.set(`${LAST}-14T15:00:00.000Z`);
    const other = await createPersonBy(app.db, { firstName: 'Sam', lastName: 'Okafor' });
    await fundedWallet(app.db, { ...app.services, clock }, other, 25_055n, 'savings');
    clock.set(new Date().toISOString());
    onOpen({ app, renee, theo, owner });
  });
  afterAll(() => app.close());

  const cookieOf = ({ id }: TestPerson) => cookies.get(id) ?? '';
  async function send<T>(method: string, path: string, body?: unknown, by = renee): Promise<T> {
    const reply = await app.ask(method, `${PATH}${path}`, {
      cookie: cookieOf(by),
      ...(body !== undefined && { body }),
    });
    return (await reply.json()) as T;
  }
  const get = (month: string, by = renee) => send<Month>('GET', `/${month}`, undefined, by);
  async function close(month: string, by = renee): Promise<Month & Refused> {
    const { hash } = await get(month, by);
    return send('POST', `/${month}/close`, { hash, isCompared: true }, by);
  }
  const exported = (month: string, format: string): Promise<Response> =>
    app.ask('GET', `${PATH}/${month}/journal?format=${format}`, { cookie: cookieOf(renee) });
  /** Stands for a verification of everything that found nothing. */
  const verifyBooks = () =>
    sql`INSERT INTO verification_run (started_at, finished_at, is_sound, head_height)
        VALUES (now(), now(), true, 0)`.execute(app.db);
  return { clock, cookieOf, send, get, close, exported, verifyBooks };
}
