import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KycApplication } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { picture } from '#test/factories/images.ts';
import { COMPLETE_ANSWERS, submittedApplication } from '#test/factories/kyc.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { kycVisits } from '#test/kyc-visitor.ts';
import type { KycVisits, Visitor } from '#test/kyc-visitor.ts';

let purser: TestApp;
let visits: KycVisits;
let admin: TestPerson;
let jpeg: Buffer;

beforeAll(async () => {
  purser = await openTestApp();
  visits = kycVisits(purser);
  admin = await createAdmin(purser.db, purser.services);
  jpeg = await picture();
});
afterAll(() => purser.close());

const upload = (who: Visitor, type: string) => visits.upload(who, type, jpeg);

/** A person who has answered everything and uploaded nothing yet. */
async function filled(): Promise<Visitor & { seen: { id: string; version: number } }> {
  const owner = await visits.employee();
  const { id, version } = await visits.application(owner);
  const answers = COMPLETE_ANSWERS;
  const saved = await visits.ask<KycApplication>(owner, 'PUT', '/api/kyc/application', {
    id,
    version,
    answers,
  });
  expect(saved.status).toBe(200);
  return { ...owner, seen: { id, version: saved.reply.version } };
}

describe('an application through the API', () => {
  test('is not submitted without an answer or an image', async () => {
    const owner = await filled();
    await upload(owner, 'id_front');
    const cleared = await visits.ask<KycApplication>(owner, 'PUT', '/api/kyc/application', {
      ...owner.seen,
      answers: { occupation: null },
    });
    const refused = await visits.ask(owner, 'POST', '/api/kyc/application/submit', {
      id: owner.seen.id,
      version: cleared.reply.version,
    });
    expect(refused).toMatchObject({
      status: 422,
      reply: {
        code: 'application_incomplete',
        errors: [{ path: 'occupation' }, { path: 'id_back' }],
      },
    });
  });

  test('keeps its status whatever an autosave says', async () => {
    const owner = await filled();
    const saved = await visits.ask<KycApplication>(owner, 'PUT', '/api/kyc/application', {
      ...owner.seen,
      status: 'approved',
      answers: { status: 'approved', city: 'Tacoma', decidedBy: admin.id },
    });
    expect(saved).toMatchObject({
      status: 200,
      reply: { status: 'in_progress', decidedAt: null, answers: { city: 'Tacoma' } },
    });
    expect(saved.reply.answers).not.toHaveProperty('status');
  });

  test('is reported to a screen that did not see another one save', async () => {
    const owner = await filled();
    const save = (city: string) =>
      visits.ask(owner, 'PUT', '/api/kyc/application', {
        ...owner.seen,
        answers: { city },
      });
    expect(await save('Tacoma')).toMatchObject({ status: 200 });
    expect(await save('Olympia')).toMatchObject({
      status: 409,
      reply: { code: 'application_stale' },
    });
    expect((await visits.application(owner)).answers.city).toBe('Tacoma');
  });

  test('takes no answers that were typed into another person’s', async () => {
    const [owner, other] = [await filled(), await filled()];
    const body = { ...owner.seen, answers: { idNumber: 'OF-SOMEBODY-ELSE' } };
    const saved = await visits.ask(other, 'PUT', '/api/kyc/application', body);
    expect(saved).toMatchObject({ status: 404, reply: { code: 'application_not_found' } });
    const submitted = await visits.ask(other, 'POST', '/api/kyc/application/submit', owner.seen);
    expect(submitted).toMatchObject({ status: 404 });
    expect((await visits.application(other)).answers.idNumber).toBe(COMPLETE_ANSWERS.idNumber);
  });

  test('is submitted once by two concurrent requests, and nothing of it changes afterwards', async () => {
    const owner = await filled();
    await upload(owner, 'id_front');
    await upload(owner, 'id_back');
    const submit = () => visits.ask(owner, 'POST', '/api/kyc/application/submit', owner.seen);
    const both = await Promise.all([submit(), submit()]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { id, version } = await visits.application(owner);
    const edit = await visits.ask(owner, 'PUT', '/api/kyc/application', {
      id,
      version,
      answers: { city: 'Tacoma' },
    });
    const replace = await upload(owner, 'id_back');
    expect([edit.status, replace.status]).toEqual([409, 409]);
    expect((await visits.application(owner)).documents).toHaveLength(2);
  });

  test('in progress is neither approved nor opened by another employee', async () => {
    const owner = await filled();
    const { id, version } = await visits.application(owner);
    const desk = { cookie: await purser.cookieOf(admin) };
    const path = `/api/admin/kyc/applications/${id}`;
    expect(await visits.ask(desk, 'POST', `${path}/approve`, { version })).toMatchObject({
      status: 409,
      reply: { code: 'application_wrong_status' },
    });
    expect((await visits.ask(await visits.employee(), 'GET', path)).status).toBe(403);
  });

  test('by an admin is decided by another person', async () => {
    const { id, version } = await submittedApplication(purser.db, purser.services, admin.by);
    const desk = { cookie: await purser.cookieOf(admin) };
    const approve = await visits.ask(desk, 'POST', `/api/admin/kyc/applications/${id}/approve`, {
      version,
    });
    expect(approve).toMatchObject({ status: 403, reply: { code: 'own_request' } });
  });
});
