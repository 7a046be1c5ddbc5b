import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckImage, Deposit, DepositDetails } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { sweepIdentity } from '#server/modules/kyc/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { picture } from '#test/factories/images.ts';
import { createPayee, expectSoundMoney } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import { depositActs, requestDeposit, sweepCheckImages } from './index.ts';

let purser: TestApp;
let admin: TestPerson;
let maya: Payee;
const cookies = { maya: '', other: '', admin: '' };

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  await offerDeposits(db, services);
  admin = await createAdmin(db, services);
  maya = await createPayee(db, services, { admin: admin.by, fundedMinor: 0n });
  cookies.admin = await purser.cookieOf(admin);
  cookies.maya = await purser.cookieOf({ id: maya.by.actor.id });
  cookies.other = await purser.cookieOf(await createEmployee(db, services));
});
afterAll(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});

function asked(method: 'mobile_check' | 'ach' = 'mobile_check'): Promise<Deposit> {
  return withTx(purser.db, (tx) =>
    requestDeposit(tx, purser.services, maya.by, {
      walletId: maya.wallet.id,
      method,
      amount: money(10_000n, 'USD'),
    }),
  );
}

async function send(
  depositId: string,
  side: string,
  { seed = 1, cookie = cookies.maya }: { seed?: number; cookie?: string } = {},
) {
  const response = await purser.ask(
    'POST',
    `/api/deposits/${depositId}/images/${side}?fileName=check-${side}.png`,
    { cookie, body: await picture('png', { seed }), headers: { 'content-type': 'image/png' } },
  );
  return {
    status: response.status,
    reply: (await response.json()) as CheckImage & { code: string },
  };
}

async function detailsOf(id: string): Promise<DepositDetails> {
  const response = await purser.ask('GET', `/api/deposits/${id}`, { cookie: cookies.maya });
  return (await response.json()) as DepositDetails;
}

test('takes both photographs of a check; only then is it approved', async () => {
  const { id } = await asked();
  const approve = () =>
    withTx(purser.db, (tx) => depositActs.approve(tx, purser.services, admin.by, { id }));
  await expect(approve()).rejects.toMatchObject({ code: 'deposit_images_missing' });
  expect(await send(id, 'front', { seed: 2 })).toMatchObject({
    status: 201,
    reply: { side: 'front', fileName: 'check-front.png', width: 320 },
  });
  await expect(approve()).rejects.toMatchObject({ code: 'deposit_images_missing' });
  await send(id, 'back', { seed: 3 });
  const { images } = await detailsOf(id);
  expect(images.map(({ side }) => side)).toEqual(['front', 'back']);
  const image = await purser.ask('GET', `/api/deposit-images/${images[0]?.id}`, {
    cookie: cookies.maya,
  });
  expect(image.headers.get('content-type')).toBe('image/jpeg');
  await approve();
  expect(await send(id, 'back', { seed: 4 })).toMatchObject({
    status: 409,
    reply: { code: 'deposit_wrong_status' },
  });
});

test('is the owner’s alone', async () => {
  const { id } = await asked();
  const { reply } = await send(id, 'front', { seed: 10 });
  const { other } = cookies;
  expect(await send(id, 'front', { seed: 11, cookie: other })).toMatchObject({ status: 404 });
  for (const path of [`/api/deposits/${id}`, `/api/deposit-images/${reply.id}`]) {
    expect((await purser.ask('GET', path, { cookie: other })).status).toBe(404);
  }
});

test('refuses what is no photograph of a check that waits', async () => {
  const { id } = await asked('ach');
  expect(await send(id, 'front')).toMatchObject({
    status: 409,
    reply: { code: 'deposit_takes_no_images' },
  });
  expect(await send(randomUUID(), 'front')).toMatchObject({ status: 404 });
  const check = await asked();
  expect((await send(check.id, 'edge')).status).toBe(422);
});

test('one photograph serves one deposit, unless that one was cancelled', async () => {
  const first = await asked();
  const second = await asked();
  await send(first.id, 'front', { seed: 20 });
  const refused = { status: 409, reply: { code: 'check_image_used' } };
  expect(await send(second.id, 'front', { seed: 20 })).toMatchObject(refused);
  // Sent again with the same deposit it is a slip and no fraud.
  expect(await send(first.id, 'front', { seed: 20 })).toMatchObject({ status: 201 });
  await withTx(purser.db, (tx) =>
    depositActs.cancel(tx, purser.services, maya.by, { id: first.id }),
  );
  expect(await send(second.id, 'front', { seed: 20 })).toMatchObject({ status: 201 });
});

test('a replaced or cancelled photograph is destroyed, a decided one after its retention', async () => {
  const { db, services } = purser;
  const filesOf = async (depositId: string) =>
    db
      .selectFrom('depositImage')
      .select(['fileId', 'destroyedAt'])
      .where('depositId', '=', depositId)
      .orderBy('uploadedAt')
      .execute();
  const cancelled = await asked();
  await send(cancelled.id, 'front', { seed: 30 });
  await send(cancelled.id, 'front', { seed: 31 });
  const [replaced, current] = await filesOf(cancelled.id);
  expect(replaced?.fileId).toBeNull();
  const isThere = (fileId = '') =>
    services.files.get(fileId).then(
      () => true,
      () => false,
    );
  const kept = current?.fileId ?? '';
  expect(await isThere(kept)).toBe(true);
  await withTx(db, (tx) => depositActs.cancel(tx, services, maya.by, { id: cancelled.id }));
  await sweepIdentity(db, services);
  expect(await isThere(kept)).toBe(false);

  const approved = await asked();
  await send(approved.id, 'front', { seed: 32 });
  await send(approved.id, 'back', { seed: 33 });
  await withTx(db, (tx) => depositActs.approve(tx, services, admin.by, { id: approved.id }));
  expect(await sweepCheckImages(db, services)).toBe(0);
  const later = new Date(services.clock.now().getTime() + 1_826 * 86_400_000);
  const afterwards = { ...services, clock: { now: () => later } };
  expect(await sweepCheckImages(db, afterwards)).toBeGreaterThanOrEqual(2);
  expect((await filesOf(approved.id)).every(({ destroyedAt }) => destroyedAt !== null)).toBe(true);
});

test('an admin sees the photographs of another’s check, and its owner sees that they did', async () => {
  const { id } = await asked();
  const { reply } = await send(id, 'front', { seed: 40 });
  const path = `/api/admin/deposit-images/${reply.id}`;
  expect((await purser.ask('GET', path, { cookie: cookies.maya })).status).toBe(403);
  const image = await purser.ask('GET', path, { cookie: cookies.admin });
  expect(image.headers.get('content-type')).toBe('image/jpeg');
  const details = await purser.ask('GET', `/api/admin/deposits/${id}`, { cookie: cookies.admin });
  expect(await details.json()).toMatchObject({
    instructions: { method: 'mobile_check' },
    images: [{ id: reply.id, side: 'front' }],
  });
  const accessLog = await purser.ask('GET', '/api/kyc/access-log', { cookie: cookies.maya });
  expect(await accessLog.json()).toMatchObject({ items: [{ what: 'check' }] });
});

test('are not replaced once an administrator has confirmed by them', async () => {
  const { db, services } = purser;
  await db.updateTable('companySettings').set({ separateDepositMinor: 1n }).execute();
  const other = await createAdmin(db, services);
  const decide = (by: TestPerson, act: 'confirm' | 'approve', id: string) =>
    withTx(db, (tx) => depositActs[act](tx, services, by.by, { id }));
  const { id } = await asked();
  await send(id, 'front', { seed: 5 });
  await send(id, 'back', { seed: 6 });
  const before = await detailsOf(id);
  expect(before).toMatchObject({ canPhotograph: true });
  await decide(admin, 'confirm', id);
  for (const side of ['front', 'back']) {
    expect(await send(id, side, { seed: 7 })).toMatchObject({
      status: 409,
      reply: { code: 'deposit_confirmed' },
    });
  }
  expect(await detailsOf(id)).toMatchObject({ canPhotograph: false, images: before.images });
  await decide(other, 'approve', id);

  // A photograph and a confirmation at the same moment: the confirmation is by what the second administrator sees.
  const racing = await asked();
  await send(racing.id, 'front', { seed: 8 });
  await send(racing.id, 'back', { seed: 9 });
  const { answer } = await withTx(db, async (tx) => {
    await depositActs.confirm(tx, services, admin.by, { id: racing.id });
    return startAndBlock(db, () => send(racing.id, 'front', { seed: 12 }));
  });
  expect(await answer).toMatchObject({ reply: { code: 'deposit_confirmed' } });
});
