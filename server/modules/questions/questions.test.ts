import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { withTx } from '#server/db/tx.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import { createAdmin, createEmployee, createEmployeeAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let maya: TestPerson;
const cookies = { maya: '', sam: '', renee: '', ana: '' };

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  const renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  maya = await createEmployee(db, services, { firstName: 'Maya', lastName: 'Castellanos' });
  const sam = await createEmployee(db, services, { firstName: 'Sam', lastName: 'Okafor' });
  await fundedWallet(db, services, maya.by, 192_000n);
  await fundedWallet(db, services, sam.by, 192_000n);
  cookies.maya = await purser.cookieOf(maya);
  cookies.sam = await purser.cookieOf(sam);
  cookies.renee = await purser.cookieOf(renee);
  const ana = await createEmployeeAdmin(db, services, { firstName: 'Ana', lastName: 'Popescu' });
  await fundedWallet(db, services, ana.by, 192_000n);
  cookies.ana = await purser.cookieOf(ana);
});
afterAll(() => purser.close());

type Who = keyof typeof cookies;
interface Reply {
  code?: string;
  refusal?: string | null;
  id: string;
  reference: string;
  total: number;
  items: Reply[];
  questions: Reply[];
  waiting: { questions: number };
}
async function ask(who: Who, method: string, path: string, body?: object): Promise<Reply> {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie: cookies[who],
    ...(body !== undefined && { body }),
  });
  return (await reply.json()) as Reply;
}
const payday = async (who: Who) => (await ask(who, 'GET', 'history')).items[0] as Reply;
const place = async (who: Who) => `history/events/${(await payday(who)).id}/questions`;
const question = { question: 'Why is my pay lower this month?' };
const waiting = async () => (await ask('renee', 'GET', 'shell')).waiting.questions;

describe('a question about a payslip or transaction', () => {
  test('reaches the admins with its reference, and its answer appears where it was asked', async () => {
    const at = await place('maya');
    const { reference } = await payday('maya');
    expect(await ask('maya', 'POST', at, question)).toMatchObject({
      status: 'waiting',
      ...question,
    });
    expect(await waiting()).toBe(1);
    const { items } = await ask('renee', 'GET', 'admin/questions');
    expect(items).toEqual([
      expect.objectContaining({
        ...question,
        reference,
        employee: expect.objectContaining({ name: 'Maya Castellanos' }),
        transactionId: expect.any(String),
        answer: null,
      }),
    ]);
    const notices = await ask('renee', 'GET', 'notifications');
    expect(notices.items).toContainEqual(
      expect.objectContaining({
        title: 'Question to answer',
        message: `Maya Castellanos asks about ${reference}: ${question.question}`,
      }),
    );

    const answer = { answer: 'Two unpaid days. See the note of November 12.' };
    const path = `admin/questions/${items[0]?.id}/answer`;
    expect(await ask('renee', 'POST', path, answer)).toMatchObject({ status: 'answered' });
    expect(await ask('renee', 'POST', path, answer)).toMatchObject({ code: 'question_answered' });
    expect(await waiting()).toBe(0);
    expect((await ask('maya', 'GET', at)).questions).toEqual([
      expect.objectContaining({
        ...question,
        answer: { text: answer.answer, by: 'Renee Albright', at: expect.any(String) },
      }),
    ]);
    const asked = items[0]?.id;
    expect((await ask('maya', 'GET', 'notifications')).items[0]).toMatchObject({
      title: 'Question answered',
      message: `Renee Albright answered your question about ${reference}: ${answer.answer}`,
      place: `/employee/history?question=${asked}`,
    });
    expect(notices.items[0]).toMatchObject({ place: `/admin/questions?question=${asked}` });
    expect(await ask('maya', 'GET', `questions/${asked}`)).toMatchObject({
      ...question,
      eventId: (await payday('maya')).id,
    });
    expect(await ask('sam', 'GET', `questions/${asked}`)).toMatchObject({
      code: 'question_not_found',
    });
    expect(await ask('renee', 'GET', `admin/questions/${asked}`)).toMatchObject({
      ...question,
      payslipId: expect.stringMatching(/^payslip\./),
    });
  });

  test('is limited to one at a time about one thing, which must be the employee’s own', async () => {
    const at = await place('maya');
    expect(await ask('maya', 'POST', at, question)).toMatchObject({ status: 'waiting' });
    expect(await ask('maya', 'POST', at, question)).toMatchObject({ code: 'question_waiting' });
    expect(await ask('sam', 'POST', at, question)).toMatchObject({ code: 'transaction_not_found' });
    expect(await ask('sam', 'GET', at)).toMatchObject({ code: 'transaction_not_found' });
    expect(await ask('maya', 'POST', at, { question: ' ' })).toMatchObject({
      code: 'invalid_request',
    });
  });

  test('is listed by status and person: waiting ones first, then answered ones', async () => {
    await ask('sam', 'POST', await place('sam'), question);
    const names = async (words: string) =>
      (await ask('renee', 'GET', `admin/questions?${words}`)).items.map((one) => {
        const { employee, status } = one as unknown as {
          employee: { name: string };
          status: string;
        };
        return `${employee.name} ${status}`;
      });
    expect(await names('status=all')).toEqual([
      'Maya Castellanos waiting',
      'Sam Okafor waiting',
      'Maya Castellanos answered',
    ]);
    expect(await names('')).toEqual(['Maya Castellanos waiting', 'Sam Okafor waiting']);
    expect(await names('status=answered')).toEqual(['Maya Castellanos answered']);
    expect(await names(`status=all&person=${maya.id}`)).toHaveLength(2);
    expect(await names('search=okafor')).toEqual(['Sam Okafor waiting']);
    expect((await ask('renee', 'GET', 'admin/questions/count?status=all')).total).toBe(3);
  });

  test('is limited by the hour', async () => {
    const at = await place('sam');
    const codes: (string | undefined)[] = [];
    for (let count = 0; count < HOURLY_LIMITS.questions; count += 1) {
      codes.push((await ask('sam', 'POST', at, question)).code);
    }
    expect(codes.at(-1)).toBe('hourly_limit');
  });

  test('moves from a request to its posting', async () => {
    const { db, services } = purser;
    const admin = await createAdmin(db, services);
    const payee = await createPayee(db, services, { admin: admin.by });
    const cookie = await purser.cookieOf(payee.by.actor);
    const order = { payee, admin: admin.by, amountMinor: 4_000n };
    const { id } = await withdrawalIn(db, services, { ...order, status: 'processing' });
    const read = async (path: string) =>
      (await (await purser.ask('GET', `/api/${path}`, { cookie })).json()) as Reply;
    const at = (event: string) => `history/events/${event}/questions`;
    const sent = await purser.ask('POST', `/api/${at(`${id}.salary`)}`, { cookie, body: question });
    const asked = (await sent.json()) as Reply;
    expect(await read(`questions/${asked.id}`)).toMatchObject({ eventId: `${id}.salary` });

    await withTx(db, (tx) => withdrawalActs.complete(tx, services, admin.by, { id }));
    const { eventId } = (await read(`questions/${asked.id}`)) as Reply & { eventId: string };
    expect(eventId).not.toBe(`${id}.salary`);
    expect((await read(at(eventId))).questions).toEqual([expect.objectContaining(question)]);
  });

  test('reports a number whose proof failed, with block and root, even while a question waits', async () => {
    const at = await place('maya');
    await ask('maya', 'POST', at, question);
    const finding = { check: 'content', block: '42', root: 'ab'.repeat(32) };
    const report = { question: 'The proof of this number failed.', finding };
    expect(await ask('maya', 'POST', at, report)).toMatchObject({ status: 'waiting', finding });
    expect(await ask('maya', 'POST', at, report)).toMatchObject({ code: 'question_waiting' });
    for (const wrong of [{ root: 'ab' }, { block: '-1' }, { check: 'looks odd' }]) {
      const sent = { ...report, finding: { ...finding, ...wrong } };
      expect(await ask('maya', 'POST', at, sent)).toMatchObject({ code: 'invalid_request' });
    }
    const { items } = await ask('renee', 'GET', 'admin/questions?search=castellanos');
    expect(items).toContainEqual(expect.objectContaining({ ...report, status: 'waiting' }));
    expect((await ask('renee', 'GET', 'notifications')).items[0]).toMatchObject({
      message: expect.stringMatching(
        /^Maya Castellanos reports \S+: The proof of this number failed\.$/,
      ),
    });
  });
});

test('a question of an administrator is answered by another one, and the read says so before', async () => {
  const { id } = await ask('ana', 'POST', await place('ana'), question);
  const path = `admin/questions/${id}`;
  const { refusal } = await ask('ana', 'GET', path);
  expect(refusal).toBe('Someone else must decide on your own request.');
  const answer = { answer: 'It was paid on Friday.' };
  expect(await ask('ana', 'POST', `${path}/answer`, answer)).toMatchObject({
    code: 'own_request',
    title: refusal,
  });
  expect(await ask('renee', 'GET', path)).toMatchObject({ refusal: null });
  const { refusal: again } = await ask('renee', 'POST', `${path}/answer`, answer);
  expect(await ask('renee', 'POST', `${path}/answer`, answer)).toMatchObject({
    code: 'question_answered',
    title: again,
  });
});
