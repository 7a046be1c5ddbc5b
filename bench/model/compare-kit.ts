import { isDeepStrictEqual } from 'node:util';
import type { Company } from './company.ts';
import type { ModelPerson } from './things.ts';

/** The administrator who reads what is compared. */
export function anAdminOf({ oracle }: Company): ModelPerson {
  const admin = [...oracle.people.values()].find(({ isAdmin }) => isAdmin);
  if (admin === undefined) throw new Error('the company has no administrator');
  return admin;
}

/** @throws Error for a refusal */
export async function read<T>(company: Company, cookie: string, path: string): Promise<T> {
  return JSON.parse(await readText(company, cookie, path)) as T;
}

/** @throws Error for a refusal */
export async function readText({ app }: Company, cookie: string, path: string): Promise<string> {
  const response = await app.ask('GET', `/api/${path}`, { cookie });
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return response.text();
}

export const byId = <T extends { id: string }>(list: readonly T[]) =>
  list.toSorted((one, other) => one.id.localeCompare(other.id));

/** @throws Error that names what differs */
export function expectSame(what: string, shown: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(shown, wanted)) return;
  const write = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  if (Array.isArray(shown) && Array.isArray(wanted)) {
    const extra = shown.filter((one) => !wanted.some((other) => isDeepStrictEqual(one, other)));
    const missing = wanted.filter((one) => !shown.some((other) => isDeepStrictEqual(one, other)));
    throw new Error(
      `${what}: shown and not known ${write(extra)}, known and not shown ${write(missing)}`,
    );
  }
  throw new Error(`${what}: ${write(shown)}, the oracle has ${write(wanted)}`);
}
