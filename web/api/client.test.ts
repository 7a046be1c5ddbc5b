import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { untilHolds } from '#test/until-holds.ts';
import { ApiError, call, refusalOf } from './client.ts';
import { onConfirmationNeeded } from './confirmation.ts';
import type { ConfirmationWays } from './confirmation.ts';
import { isPageLocked, setPagePerson, unlockPage } from './session-lock.ts';

const CODE = 'confirmation_needed';
const refusal = (details: { by: string; or?: string }) =>
  Response.json({ code: CODE, title: 'Please confirm', details }, { status: 403 });
const request = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();
const ask = vi.fn<(ways: ConfirmationWays) => Promise<boolean>>();
let undo: () => void;

beforeEach(() => {
  vi.stubGlobal('fetch', request);
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => true });
  undo = onConfirmationNeeded(ask);
});
afterEach(() => {
  undo();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

const body = { reason: 'A passport was shown' };
const params = { id: 'b7a1' };
const reset = () =>
  call('adminResetTwoFactor', { params, body }, { idempotencyKey: 'one key for both' });

test('a request that has to be confirmed is sent again as it was', async () => {
  request
    .mockResolvedValueOnce(refusal({ by: 'code', or: 'passkey' }))
    .mockResolvedValueOnce(Response.json({ ok: true }));
  ask.mockResolvedValueOnce(true);
  expect(await reset()).toEqual({ ok: true });
  expect(ask).toHaveBeenCalledWith({ by: 'code', hasPasskey: true });
  const sent = request.mock.calls.map(([address, init]) => ({
    address,
    body: init.body,
    key: new Headers(init.headers).get('idempotency-key'),
  }));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.body).toBe(JSON.stringify(body));
});

test('a user who would rather not is refused, and nothing is sent again', async () => {
  request.mockResolvedValueOnce(refusal({ by: 'password' }));
  ask.mockResolvedValueOnce(false);
  await expect(reset()).rejects.toBeInstanceOf(ApiError);
  expect(request).toHaveBeenCalledTimes(1);
});

test('what is asked for while the password is changed waits for the new session', async () => {
  const { promise: changed, resolve: change } = Promise.withResolvers<Response>();
  request.mockReturnValueOnce(changed).mockImplementation(() => Promise.resolve(Response.json({})));
  const replies = [
    call('changePassword', { body: { currentPassword: 'old', newPassword: 'new' } }),
    call('listSessions'),
  ];
  await Promise.resolve();
  expect(request).toHaveBeenCalledTimes(1);
  change(Response.json({}));
  await Promise.all(replies);
  expect(request).toHaveBeenCalledTimes(2);
});

test('two concurrent requests ask once', async () => {
  request
    .mockResolvedValueOnce(refusal({ by: 'password' }))
    .mockResolvedValueOnce(refusal({ by: 'password' }))
    .mockImplementation(() => Promise.resolve(Response.json({ ok: true })));
  let confirm: (isConfirmed: boolean) => void = () => undefined;
  ask.mockReturnValue(new Promise((resolve) => (confirm = resolve)));
  const both = Promise.all([reset(), reset()]);
  await untilHolds(() => expect(request).toHaveBeenCalledTimes(2));
  // All that the second refusal causes has been done by then.
  await new Promise(setImmediate);
  confirm(true);
  expect(await both).toEqual([{ ok: true }, { ok: true }]);
  expect(ask).toHaveBeenCalledTimes(1);
});

describe('a session that has ended', () => {
  const ended = () =>
    Response.json({ code: 'unauthenticated', title: 'User not authenticated' }, { status: 401 });
  beforeEach(() => {
    vi.stubGlobal('document', { documentElement: { dataset: {} }, activeElement: null });
    vi.stubGlobal('HTMLElement', Object);
    vi.stubGlobal('window', { scrollX: 0, scrollY: 0, scrollTo: () => undefined });
    setPagePerson('maya');
  });
  afterEach(() => {
    unlockPage(false);
    setPagePerson(null);
    vi.useRealTimers();
  });
  const untilLocked = () => untilHolds(() => expect(isPageLocked()).toBe(true));

  test('locks the page, and the same request is sent once its person has signed in', async () => {
    request.mockResolvedValueOnce(ended()).mockResolvedValueOnce(Response.json({ ok: true }));
    const sent = reset();
    await untilLocked();
    expect(request).toHaveBeenCalledTimes(1);
    unlockPage(true);
    expect(await sent).toEqual({ ok: true });
    const [first, second] = request.mock.calls;
    expect(second).toMatchObject([first?.[0], { body: first?.[1].body }]);
    expect(new Headers(second?.[1].headers).get('purser-person')).toBe('maya');
  });

  test('sends nothing for another person', async () => {
    request.mockResolvedValueOnce(ended());
    const sent = reset();
    await untilLocked();
    unlockPage(false);
    await expect(sent).rejects.toMatchObject({ problem: { code: 'unauthenticated' } });
    expect(request).toHaveBeenCalledTimes(1);
  });

  test('sends no change that was asked for long before', async () => {
    vi.useFakeTimers();
    request.mockResolvedValueOnce(ended());
    const sent = reset();
    await untilLocked();
    vi.setSystemTime(Date.now() + 11 * 60_000);
    unlockPage(true);
    await expect(sent).rejects.toMatchObject({ problem: { code: 'unauthenticated' } });
    expect(request).toHaveBeenCalledTimes(1);
  });

  test('has requests wait that begin during it, except those that sign in', async () => {
    request
      .mockResolvedValueOnce(ended())
      .mockImplementation(() => Promise.resolve(Response.json({ ok: true })));
    const sent = reset();
    await untilLocked();
    const read = call('getShell');
    await call('signIn', { body: { email: 'maya@purser.test', password: 'a password' } });
    expect(request).toHaveBeenCalledTimes(2);
    unlockPage(true);
    await Promise.all([sent, read]);
    expect(request).toHaveBeenCalledTimes(4);
  });

  test('locks nothing where nobody was signed in', async () => {
    setPagePerson(null);
    request.mockResolvedValueOnce(ended());
    await expect(reset()).rejects.toMatchObject({ problem: { code: 'unauthenticated' } });
    expect(isPageLocked()).toBe(false);
  });
});

test.each([
  ['a page of nginx', '<html><head><title>413 Request Entity Too Large</title></head></html>'],
  ['nothing', ''],
])(
  '413 of a server in front has a sentence of its own, with what to do: %s',
  async (_what, text) => {
    request.mockImplementation(() => Promise.resolve(new Response(text, { status: 413 })));
    const error = await reset().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toContain('in front of Purser does not let files of this size through');
    // Any other answer without a problem leaves open what became of the request.
    request.mockImplementation(() => Promise.resolve(new Response(text, { status: 502 })));
    await expect(reset()).rejects.toThrow('The server answered 502. Please try again.');
  },
);

test('413 of Purser itself keeps its own words', () => {
  const own = { code: 'image_too_large', title: 'Image size must be less than 5MB', status: 413 };
  expect(refusalOf(413, own).message).toBe(own.title);
});
