import { expect, test } from 'vitest';
import { PRIVATE_ADDRESS_PROBLEM } from '#contract/webhooks.ts';
import { openTestApp } from '#test/app.ts';
import { createAdmin } from '#test/factories/people.ts';
import { refusePrivateAddress } from './refuse-private-address.ts';

const REFUSED = {
  code: 'invalid_request',
  fields: [{ path: 'url', message: PRIVATE_ADDRESS_PROBLEM }],
};
const PUBLIC = { address: '93.184.216.34', family: 4 };

/** Checks a name that resolves to these addresses. */
const typed = (...addresses: string[]) =>
  refusePrivateAddress('https://hooks.example/in', {
    resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))),
  });

test('accepts a public name, and refuses one with any address that is not public', async () => {
  await typed('93.184.216.34', '2606:2800:220:1::1');
  for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1']) {
    await expect(typed(address), address).rejects.toMatchObject(REFUSED);
    await expect(typed('93.184.216.34', address), address).rejects.toMatchObject(REFUSED);
  }
});

test('refuses private addresses in any notation, without a DNS lookup', async () => {
  const resolve = () => Promise.reject(new Error('asked'));
  for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:10.0.0.1]']) {
    const attempt = refusePrivateAddress(`https://${host}:8443/in`, { resolve });
    await expect(attempt, host).rejects.toMatchObject(REFUSED);
  }
});

test('accepts a name that does not resolve, or not in time', async () => {
  const url = 'https://not-yet.example/in';
  await refusePrivateAddress(url, { resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  await refusePrivateAddress(url, { resolve: () => new Promise(() => undefined), withinMs: 5 });
  const late = Promise.withResolvers<[typeof PUBLIC]>();
  await refusePrivateAddress(url, { resolve: () => late.promise, withinMs: 5 });
  late.reject(new Error('later'));
  await expect(late.promise).rejects.toThrow('later');
});

test('names the field in the error, and stores nothing', async () => {
  const purser = await openTestApp();
  const cookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
  const body = { url: 'https://192.168.1.20/hooks', events: ['payroll.completed'] };
  const reply = await purser.ask('POST', '/api/admin/webhooks', { cookie, body });
  expect(reply.status).toBe(422);
  expect(await reply.json()).toMatchObject({ code: REFUSED.code, errors: REFUSED.fields });
  expect(await purser.db.selectFrom('webhookEndpoint').select('id').execute()).toEqual([]);
  await purser.close();
});
