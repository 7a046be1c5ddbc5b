import type { RouteReply } from '#contract/api.ts';
import { cookieAfter } from '#test/factories/people.ts';
import { anAdmin, attempt, pickOne } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import { expectSame, read } from './compare-kit.ts';
import type { Company } from './company.ts';
import type { ModelPerson } from './things.ts';

/** Somebody who is here, mostly one with a password. */
function somebody(company: Company): ModelPerson {
  const here = [...company.oracle.people.values()].filter(({ hasLeft }) => !hasLeft);
  return company.random.pick(here as [ModelPerson]);
}

/** Notes that all sessions of a person ended, and signs them in again. */
export async function endSessionsOf(company: Company, person: ModelPerson): Promise<void> {
  company.oracle.ended.push(person.cookie, person.weakCookie, person.newCookie);
  await company.signIn(person);
}

/** One session of a person is ended by themselves or an administrator, and not by others. */
async function endOne(company: Company): Promise<Attempt> {
  const { app, oracle, random } = company;
  const person = somebody(company);
  const cookie = await app.cookieOf(person);
  const { items } = await read<RouteReply<'listSessions'>>(company, cookie, 'auth/sessions');
  const id = items.find(({ isCurrent }) => isCurrent)?.id ?? '';
  const done = () => void oracle.ended.push(cookie);
  if (random.chance(0.4)) {
    const by = anAdmin(company);
    return attempt({
      by,
      path: `/api/admin/people/${person.id}/sessions/${id}/end`,
      refusals: [by === person && 'own_account'],
      done,
    });
  }
  const by = random.chance(0.8) ? person : somebody(company);
  const isSame = by === person && random.chance(0.2);
  return attempt({
    by,
    method: 'DELETE',
    path: `/api/auth/sessions/${id}`,
    ...(isSame && { cookie }),
    refusals: [by !== person && 'not_found', isSame && 'last_session'],
    done,
  });
}

/** All sessions of a person but one, or all of them, are ended. */
function endAll(company: Company): Attempt {
  const { oracle, random } = company;
  const person = somebody(company);
  if (random.chance(0.5)) {
    return attempt({
      by: person,
      path: '/api/auth/sessions/revoke-others',
      refusals: [],
      async done() {
        oracle.ended.push(person.weakCookie, person.newCookie);
        await read(company, person.cookie, 'auth/sessions');
        await company.signIn(person);
      },
    });
  }
  const by = anAdmin(company);
  return attempt({
    by,
    path: `/api/admin/people/${person.id}/end-sessions`,
    refusals: [by === person && 'own_account'],
    done: () => endSessionsOf(company, person),
  });
}

function aPassword({ random }: Pick<Company, 'random'>): string {
  return `Model-${random.digits(12)}-Purser`;
}

/** A person changes their password, which ends every session but a new one. */
function changePassword(company: Company): Attempt | null {
  const { random } = company;
  const by = somebody(company);
  if (by.password === '') return null;
  const isWrong = random.chance(0.2);
  const isSame = random.chance(0.1);
  const newPassword = isSame ? by.password : aPassword(company);
  return attempt({
    by,
    path: '/api/auth/change-password',
    body: { currentPassword: isWrong ? aPassword(company) : by.password, newPassword },
    refusals: [isWrong && 'invalid_password', isSame && 'invalid_request'],
    async done(_reply, response) {
      const renewed = cookieAfter(by.cookie, response.headers.getSetCookie());
      by.password = newPassword;
      await endSessionsOf(company, by);
      await read(company, renewed, 'auth/sessions');
    },
  });
}

/** Somebody signs in with a password, which gives a session that they end again. */
function signIn(company: Company): Attempt | null {
  const { app, oracle, random } = company;
  const by = pickOne(company, oracle.people.values());
  if (by === null) return null;
  const isWrong = by.password === '' || random.chance(0.25);
  return attempt({
    by,
    cookie: null,
    path: '/api/auth/sign-in',
    body: { email: by.email, password: isWrong ? aPassword(company) : by.password },
    refusals: [isWrong && 'invalid_credentials', !isWrong && by.hasLeft && 'account_deactivated'],
    async done(_reply, response) {
      const cookie = cookieAfter('', response.headers.getSetCookie());
      await read(company, cookie, 'auth/sessions');
      await company.noteAccounts(by);
      const left = await app.ask('POST', '/api/auth/sign-out', { cookie });
      expectSame(`${by.name} signs out`, left.status, 200);
      oracle.ended.push(cookie);
    },
  });
}

export const sessionMoves: readonly Move[] = [
  { weight: 3, make: endOne },
  { weight: 3, make: endAll },
  { weight: 3, make: changePassword },
  { weight: 2, make: signIn },
];
