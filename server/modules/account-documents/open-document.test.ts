import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountDocument, AccountDocuments, RouteReply } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let renee: TestPerson;
let maya: TestPerson;
const cookies = { renee: '', maya: '', sam: '' };

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  maya = await createEmployee(db, services, { firstName: 'Maya' });
  const sam = await createEmployee(db, services);
  await fundedWallet(db, services, maya.by, 192_000n);
  await fundedWallet(db, services, maya.by, 64_000n);
  cookies.renee = await purser.cookieOf(renee);
  cookies.maya = await purser.cookieOf(maya);
  cookies.sam = await purser.cookieOf(sam);
});
afterAll(() => purser.close());

type Who = keyof typeof cookies;
const get = (who: Who, path: string) => purser.ask('GET', `/api/${path}`, { cookie: cookies[who] });
const read = async <Reply>(who: Who, path: string) =>
  (await (await get(who, path)).json()) as Reply;
const documents = () => `admin/people/${maya.id}/account-documents`;
const accessLog = async () =>
  (await read<RouteReply<'listMyAccessLog'>>('maya', 'kyc/access-log')).items;

describe('payslips and statements of a person, opened by an admin', () => {
  test('are those that the person reads, and listing them opens none', async () => {
    const own = await read<AccountDocuments>('maya', 'account-documents');
    expect(own.payslips.items.length).toBeGreaterThan(0);
    expect(await read('renee', documents())).toEqual(own);
    expect(await accessLog()).toEqual([]);
  });

  test('are in the access log of the person, once each', async () => {
    const { payslips } = await read<AccountDocuments>('maya', 'account-documents');
    const [newest, older] = payslips.items;
    const path = `${documents()}/${newest?.id}`;
    const opened = await read<AccountDocument>('renee', path);
    expect(opened).toEqual(await read('maya', `account-documents/${newest?.id}`));
    const pdf = await get('renee', `${path}/pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    await get('renee', `${documents()}/${older?.id}`);
    const entry = { what: 'payslip', by: renee.name, at: expect.any(String) };
    expect(await accessLog()).toEqual([
      { ...entry, which: older?.reference },
      { ...entry, which: newest?.reference },
    ]);
    const page = await read<RouteReply<'adminGetEmployee'>>('renee', `admin/employees/${maya.id}`);
    expect(page.opened).toHaveLength(2);
  });

  test('are not found for another person, for a receipt, or for another reader', async () => {
    const [payslip] = (await read<AccountDocuments>('maya', 'account-documents')).payslips.items;
    const before = await accessLog();
    const code = async (who: Who, path: string) =>
      (await read<{ code: string }>(who, `admin/people/${path}`)).code;
    const ofRenee = `${renee.id}/account-documents`;
    expect(await code('renee', `${ofRenee}/${payslip?.id}`)).toBe('account_document_not_found');
    const nobody = '019a0000-0000-7000-8000-000000000000';
    expect(await code('renee', `${nobody}/account-documents`)).toBe('person_not_found');
    const receipt = `${maya.id}/account-documents/receipt.${nobody}.salary`;
    expect(await code('renee', receipt)).toBe('invalid_request');
    expect(await code('sam', `${maya.id}/account-documents/${payslip?.id}`)).toBe('forbidden');
    expect(await accessLog()).toEqual(before);
  });
});
