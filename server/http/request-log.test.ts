import { expect, test } from 'vitest';
import { openTestApp } from '#test/app.ts';
import { createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import { createLogLines } from '#test/log-lines.ts';

test("logs a request's operation and person, and no user input", async () => {
  const { log, lines } = createLogLines();
  const purser = await openTestApp({ log });
  const { id, email } = await createEmployee(purser.db, purser.services);
  const cookie = await purser.cookieOf({ id });
  const body = { email, password: TEST_PASSWORD };
  const signedIn = await purser.ask('POST', '/api/auth/sign-in', { body });
  expect(signedIn.status).toBe(200);
  await purser.ask('GET', '/api/history?search=what-was-typed', { cookie });
  await purser.close();

  expect(lines).toContainEqual(
    expect.objectContaining({
      method: 'POST',
      status: 200,
      ms: expect.any(Number),
      requestId: signedIn.headers.get('x-request-id'),
    }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ method: 'GET', userId: id }));
  const text = JSON.stringify(lines);
  for (const typed of [email, TEST_PASSWORD, 'what-was-typed', cookie]) {
    expect(text).not.toContain(typed);
  }
});
