import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { expectDeclared } from '#test/declared-replies.ts';
import { createEmployee } from '#test/factories/people.ts';

let purser: TestApp;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createEmployee(purser.db, purser.services));
});
afterAll(() => purser.close());

const SESSION = '/api/session';
const request = (path: string, init: RequestInit = {}) =>
  new Request(new URL(path, TEST_ORIGIN), init);
const problem = (code: string, status: number) =>
  Response.json(
    { type: 'about:blank', title: code, status, code, requestId: '' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
const check = (asked: Request, reply: Response) => expectDeclared(purser.app, asked, reply);

test('accepts a reply that matches the document', async () => {
  const reply = await purser.app.request(SESSION, { headers: { cookie } });
  await expect(check(request(SESSION), reply)).resolves.toBeUndefined();
});

test('fails for a reply of another shape, type, status or refusal, and for an undeclared request', async () => {
  const session = (await (await purser.app.request(SESSION)).json()) as Record<string, unknown>;
  const incomplete = { ...session, company: undefined };
  await expect(check(request(SESSION), Response.json(incomplete))).rejects.toThrow(/reply of/);
  await expect(check(request(SESSION), new Response('text'))).rejects.toThrow(/getSession/);
  await expect(check(request(SESSION), Response.json(session, { status: 418 }))).rejects.toThrow(
    /418 is not declared/,
  );
  const path = '/api/auth/sign-in';
  const signIn = () => request(path, { method: 'POST', body: '{}' });
  await expect(check(signIn(), problem('link_invalid', 401))).rejects.toThrow(
    'link_invalid is not declared',
  );
  await expect(check(request(`${SESSION}?unknown=1`), Response.json(session))).rejects.toThrow();
});
