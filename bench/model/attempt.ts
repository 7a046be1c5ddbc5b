import { randomUUID } from 'node:crypto';
import type { Company } from './company.ts';
import type { ModelAccount, ModelPerson } from './things.ts';

/** One request, with the oracle's opinion of it. */
export interface Attempt {
  by: ModelPerson;
  /** Session of the person; the usual one by default, and null for a visitor. */
  cookie?: string | null;
  /** API key that the request comes with, in place of a session. */
  apiKey?: string;
  /** Amount that payroll pays by it, in minor units, which counts to the day of an API key, and whom. */
  pays?: { minor: bigint; to: readonly string[] };
  /** True where it is granted and changes nothing, so that nothing is recorded. */
  isIdle?: boolean;
  /** Time of all clocks at which it is made, where what it makes ends by the true time; the company's by default. */
  at?: Date;
  /** Amount that leaves the account of the person by it, in minor units. Left out: none can. */
  sends?: bigint;
  /** POST by default. */
  method?: 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** A text is the content of a file. */
  body?: unknown;
  /** True if its amounts are compared with others, so that one in another currency is no fault. */
  comparesMoney?: true;
  /** True for an operation that takes a recent confirmation. */
  confirms?: boolean;
  /** Codes of refusals that hold. The server gives one of them, or succeeds where there is none. */
  refusals: readonly (string | false)[];
  /** Changes the oracle as the request changed the company. */
  done: (reply: never, response: Response) => void | Promise<void>;
}

/** A way in which the company is used. */
export interface Move {
  /** Share of the steps. */
  weight: number;
  /** A request by chance, often an illegal one; null where there is nothing to do it to. */
  make: (company: Company) => Promise<Attempt | null> | Attempt | null;
}

/** An attempt whose reply has that shape. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- names the reply of `done`, which differs in each attempt
export function attempt<Reply>(
  one: Omit<Attempt, 'done'> & {
    done: (reply: Reply, response: Response) => void | Promise<void>;
  },
): Attempt {
  return one;
}

/** One of some things by chance; null where there are none. */
export function pickOne<T>({ random }: Pick<Company, 'random'>, all: Iterable<T>): T | null {
  const list = [...all];
  return list[random.int(0, list.length - 1)] ?? null;
}

/** One of some things, mostly among those that fit; mostly null where none does. */
export function pickMostly<T>(
  company: Pick<Company, 'random'>,
  all: Iterable<T>,
  fits: (one: T) => boolean,
): T | null {
  const list = [...all];
  const fitting = list.filter((one) => fits(one));
  const isLegal = company.random.chance(0.93);
  // Another move fits better where nothing does.
  if (isLegal && fitting.length === 0 && company.random.chance(0.7)) return null;
  return pickOne(company, isLegal && fitting.length > 0 ? fitting : list);
}

/** True for an open account of a person. */
export function isOpenOf({ id }: ModelPerson) {
  return ({ ownerId, isClosed }: ModelAccount) => ownerId === id && !isClosed;
}

export function anAdmin(company: Company): ModelPerson {
  const admins = [...company.oracle.people.values()].filter(({ isAdmin }) => isAdmin);
  return company.random.pick(admins as [ModelPerson]);
}

export function anEmployee(company: Company): ModelPerson {
  const employees = [...company.oracle.people.values()].filter(
    ({ isEmployee, hasLeft }) => isEmployee && !hasLeft,
  );
  return company.random.pick(employees as [ModelPerson]);
}

/** An amount in minor units: mostly within the usual, sometimes a cent, sometimes more than anybody has. */
export function anAmount({ random }: Pick<Company, 'random'>, usual = 60_000): bigint {
  if (random.chance(0.05)) return 1n;
  if (random.chance(0.04)) return BigInt(random.int(10_000_000, 99_999_999));
  return BigInt(random.int(100, usual));
}

/** A reply that the model needs before it can say what a request does. */
export async function ask<T>(
  { app }: Pick<Company, 'app'>,
  by: ModelPerson,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<T | { code: string }> {
  const response = await app.ask(method, path, { ...requestOf(body), cookie: by.cookie });
  return (await response.json()) as T | { code: string };
}

/** Body and headers of a request, with a key of its own. */
export function requestOf(body: unknown) {
  return {
    key: randomUUID(),
    ...(body !== undefined && { body }),
    ...(typeof body === 'string' && { headers: { 'content-type': 'text/csv' } }),
  };
}

/** @throws Error for a refusal where the oracle expects none */
export function expectReply<T>(reply: T | { code: string }, what: string): T {
  const refused = reply as { code?: string; title?: string };
  if (refused.title !== undefined) throw new Error(`${what}: ${JSON.stringify(reply)}`);
  return reply as T;
}
