import type { KycApplication } from '#contract/api.ts';
import type { TestApp } from './app.ts';
import { createEmployee } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';

/** A person with a session. */
export interface Visitor extends TestPerson {
  cookie: string;
}

type Asking = Pick<Visitor, 'cookie'>;

interface Answer<Reply> {
  status: number;
  reply: Reply;
}

/** Requests over HTTP that tests of identity share. */
export interface KycVisits {
  employee(): Promise<Visitor>;
  ask<Reply>(who: Asking, method: string, path: string, body?: unknown): Promise<Answer<Reply>>;
  application(who: Asking): Promise<KycApplication>;
  upload(
    who: Asking,
    type: string,
    bytes: Buffer,
    named?: { fileName?: string | undefined; issuedOn?: string },
  ): Promise<Response>;
}

export function kycVisits(purser: TestApp): KycVisits {
  const ask: KycVisits['ask'] = async (who, method, path, body) => {
    const response = await purser.ask(method, path, { cookie: who.cookie, body });
    return { status: response.status, reply: await response.json() };
  };
  return {
    async employee() {
      const person = await createEmployee(purser.db, purser.services);
      return { ...person, cookie: await purser.cookieOf(person) };
    },
    ask,
    application: async (who) =>
      (await ask<KycApplication>(who, 'GET', '/api/kyc/application')).reply,
    upload: (who, type, bytes, { fileName = 'id.png', issuedOn } = {}) => {
      const query = new URLSearchParams({ fileName, ...(issuedOn !== undefined && { issuedOn }) });
      return purser.ask('POST', `/api/kyc/documents/${type}?${query.toString()}`, {
        cookie: who.cookie,
        body: bytes,
      });
    },
  };
}
