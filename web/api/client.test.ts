import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, call } from './client.ts';
import { onConfirmationNeeded } from './confirmation.ts';

const CODE = 'confirmation_needed';
const refusal = (by: string) =>
  Response.json({ code: CODE, title: 'Please confirm', details: { by } }, { status: 403 });
const request = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();
const ask = vi.fn<(by: string) => Promise<boolean>>();
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
  request.mockResolvedValueOnce(refusal('code')).mockResolvedValueOnce(Response.json({ ok: true }));
  ask.mockResolvedValueOnce(true);
  expect(await reset()).toEqual({ ok: true });
  expect(ask).toHaveBeenCalledWith('code');
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
  request.mockResolvedValueOnce(refusal('password'));
  ask.mockResolvedValueOnce(false);
  await expect(reset()).rejects.toBeInstanceOf(ApiError);
  expect(request).toHaveBeenCalledTimes(1);
});

test('two requests at once ask once', async () => {
  request
    .mockResolvedValueOnce(refusal('password'))
    .mockResolvedValueOnce(refusal('password'))
    .mockImplementation(() => Promise.resolve(Response.json({ ok: true })));
  let confirm: (isConfirmed: boolean) => void = () => undefined;
  ask.mockReturnValue(new Promise((resolve) => (confirm = resolve)));
  const both = Promise.all([reset(), reset()]);
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(2));
  await new Promise((resolve) => setTimeout(resolve, 10));
  confirm(true);
  expect(await both).toEqual([{ ok: true }, { ok: true }]);
  expect(ask).toHaveBeenCalledTimes(1);
});
