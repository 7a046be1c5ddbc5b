import type { RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { ApiScope } from '#contract/api-keys.ts';
import { anAdmin, attempt, pickMostly, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { expectSame } from './compare-kit.ts';
import { commandAt } from './coverage.ts';
import { zoneOfRules } from './rules.ts';
import type { ModelKey } from './things.ts';

const PATH = '/api/admin/api-keys';
const SENDS: ApiScope = 'payroll:write';
const SCOPES: readonly ApiScope[] = [
  ...(['people:read', 'people:write', 'payroll:read', 'withdrawals:read'] as const),
  ...(['deposits:read', 'bills:read', 'transactions:read', 'audit:read'] as const),
];
/** Commands that a key may send, with the scope that it needs for each. Every other one refuses each key. */
const SCOPE_OF: Readonly<Record<string, ApiScope>> = {
  adminAddEmployee: 'people:write',
  adminPreviewPayroll: SENDS,
  adminSendPayroll: SENDS,
  adminAcknowledgePayroll: SENDS,
  adminStopPayroll: SENDS,
  adminCreatePayrollDraft: SENDS,
  adminSavePayrollDraft: SENDS,
  adminPreviewPayrollDraft: SENDS,
  adminSendPayrollDraft: SENDS,
  adminFundEmployee: SENDS,
};
/** Reads, each with the scope that a key needs for it; null for those that no key may do. */
const READS: readonly (readonly [string, ApiScope | null])[] = [
  ['admin/employees', 'people:read'],
  ['admin/owed', 'people:read'],
  ['admin/payroll/batches', 'payroll:read'],
  ['admin/withdrawals', 'withdrawals:read'],
  ['admin/deposits', 'deposits:read'],
  ['admin/bills', 'bills:read'],
  ['admin/transactions', 'transactions:read'],
  ['admin/audit', 'audit:read'],
  ['admin/settings', null],
  ['admin/api-keys', null],
  ['admin/payouts', null],
  ['wallets', null],
  ['history', null],
];
/** Days for which a key is made, and a time before which it has ended. */
const DAYS = 30;
const LONG_AGO_MS = 40 * 86_400_000;
const MOST_ACTIVE = 6;
/** More people make each step slower and find nothing else. */
const MOST_ADDED = 2;

/** Makes a key with some scopes. One that sends money has a limit of a day. */
function create(company: Company): Attempt | null {
  const { oracle, random } = company;
  const active = [...oracle.apiKeys.values()].filter(({ status }) => status === 'active');
  if (active.length >= MOST_ACTIVE) return null;
  const by = anAdmin(company);
  const sends = random.chance(0.6);
  const others = SCOPES.filter(() => random.chance(0.3));
  const scopes = sends || others.length === 0 ? [...others, SENDS] : others;
  const isExpired = random.chance(0.1);
  const limit = random.pick([5_000_000n, 5_000_000n, 500_000n, 100_000n, 0n]);
  const isWithout = random.chance(0.1);
  const isSending = scopes.includes(SENDS);
  return attempt<RouteReply<'adminCreateApiKey'>>({
    by,
    at: new Date(Date.now() - (isExpired ? LONG_AGO_MS : 0)),
    path: PATH,
    confirms: true,
    comparesMoney: true,
    body: {
      name: 'A system of ours',
      scopes,
      days: DAYS,
      ...(!isWithout && { dailyLimit: usd(limit) }),
    },
    refusals: [
      isSending && isWithout && 'api_key_limit_needed',
      !isWithout && limit === 0n && 'invalid_request',
    ],
    done({ id, key }) {
      oracle.apiKeys.set(id, {
        id,
        key,
        makerId: by.id,
        scopes,
        status: isExpired ? 'expired' : 'active',
        dailyLimit: isSending ? limit : null,
        sent: new Map(),
        added: new Set(),
      });
    },
  });
}

function revoke(company: Company): Attempt | null {
  const all = company.oracle.apiKeys.values();
  const key = pickMostly(company, all, ({ status }) => status === 'active');
  if (key === null) return null;
  return attempt({
    by: anAdmin(company),
    at: new Date(),
    path: `${PATH}/${key.id}/revoke`,
    refusals: [key.status !== 'active' && 'api_key_not_active'],
    done: () => {
      key.status = 'revoked';
    },
  });
}

/** Sum to which an amount counts that a key sends now: of a day by the clock of the database, which a run does not move. */
function dayOfKeys({ oracle }: Company): string {
  return dayIn(zoneOfRules(oracle.rules), new Date());
}

/** An attempt by its administrator, or by a key that they made where that may do the same. */
export function byPersonOrKey(company: Company, made: Attempt): Attempt {
  const { oracle, random } = company;
  const { by, method = 'POST', path, pays, refusals } = made;
  const name = commandAt(method, path) ?? '';
  const scope = SCOPE_OF[name];
  if (scope === undefined || made.cookie !== undefined) return made;
  const isOwn = ({ makerId, scopes }: ModelKey) => makerId === by.id && scopes.includes(scope);
  const key = pickOne(company, [...oracle.apiKeys.values()].filter(isOwn));
  if (key === null || random.chance(0.4)) return made;
  const asKey: Attempt = { ...made, apiKey: key.key, cookie: null, confirms: false };
  if (key.status !== 'active') return { ...asKey, refusals: ['api_key_invalid'] };
  const day = dayOfKeys(company);
  const sent = (key.sent.get(day) ?? 0n) + (pays?.minor ?? 0n);
  const most = key.dailyLimit ?? 0n;
  return {
    ...asKey,
    refusals: [
      ...refusals,
      pays !== undefined && sent > most && 'api_key_daily_limit',
      pays?.to.some((id) => key.added.has(id)) === true && 'added_by_this_key',
    ],
    async done(reply, response) {
      if (pays !== undefined) key.sent.set(day, sent);
      await made.done(reply, response);
      const { id } = reply as { id?: string };
      if (name === 'adminAddEmployee' && id !== undefined) key.added.add(id);
    },
  };
}

/** Refusals of each key that may not send a request at all. */
export function keysToRefuse(
  { oracle }: Company,
  { method = 'POST', path }: Pick<Attempt, 'method' | 'path'>,
): { apiKey: string; codes: readonly string[] }[] {
  const scope = SCOPE_OF[commandAt(method, path) ?? ''];
  return [...oracle.apiKeys.values()].flatMap(({ key: apiKey, status, scopes }) => {
    if (status !== 'active') return { apiKey, codes: ['api_key_invalid'] };
    if (scope !== undefined && scopes.includes(scope)) return [];
    return { apiKey, codes: ['api_key_refused'] };
  });
}

/** Each key reads what its scopes say and nothing else, and none once it ended. */
export async function compareKeys(company: Company): Promise<void> {
  const { app, oracle } = company;
  const key = pickOne(company, oracle.apiKeys.values());
  if (key === null) return;
  const { scopes, status } = key;
  const headers = { authorization: `Bearer ${key.key}` };
  for (const [path, scope] of READS) {
    const reply = await app.ask('GET', `/api/${path}`, { headers });
    const isGranted = scope !== null && scopes.includes(scope);
    const wanted = status !== 'active' ? 401 : isGranted ? 200 : 403;
    expectSame(`${path} by a key for ${scopes.join()}`, reply.status, wanted);
  }
}

/** Adds an employee, who is paid from then on. */
function addEmployee(company: Company): Attempt | null {
  const { oracle, random } = company;
  const isKnown = random.chance(0.15);
  if (oracle.added.length >= MOST_ADDED && !isKnown) return null;
  const known = pickOne(company, oracle.people.values());
  const email = isKnown ? (known?.email ?? '') : `added-${oracle.added.length}@purser.test`;
  return attempt<RouteReply<'adminAddEmployee'>>({
    by: anAdmin(company),
    path: '/api/admin/employees',
    confirms: true,
    body: { fullName: 'Ida Added', email, department: 'engineering' },
    refusals: [isKnown && 'email_taken'],
    done: async ({ id, name }) => {
      oracle.added.push(email);
      await company.meet({ id, name, email });
    },
  });
}

export const apiKeyMoves: readonly Move[] = [
  { weight: 5, make: create },
  { weight: 1, make: revoke },
  { weight: 2, make: addEmployee },
];
