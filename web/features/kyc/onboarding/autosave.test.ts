import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { KycApplication } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { errorStatus } from '#contract/errors.ts';
import type { KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';
import { Autosave, AUTOSAVE_DELAY_MS } from './autosave.ts';
import type { SeenApplication } from './autosave.ts';

/** An application as the server keeps it; only what autosaving looks at. */
class Server {
  id = 'of-this-person';
  version = 1;
  answers: Record<string, unknown> = {};
  securityAnswerMark: string | null = null;
  saves: KycAnswersPatch[] = [];
  /** Thrown instead of the next replies. */
  failures: Error[] = [];
  losesReply = false;
  /** Duration of a save. */
  delayMs = 0;
  inFlight = 0;
  mostInFlight = 0;

  application(): KycApplication {
    const answered = Object.keys(this.answers);
    const { id, version, answers, securityAnswerMark } = this;
    return { id, version, answers, answered, securityAnswerMark } as KycApplication;
  }

  readonly load = () => Promise.resolve(this.application());

  readonly save = async (seen: SeenApplication, patch: KycAnswersPatch) => {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      return this.take(seen, patch);
    } finally {
      this.inFlight -= 1;
    }
  };

  take({ id, version }: SeenApplication, patch: KycAnswersPatch): KycApplication {
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    if (id !== this.id) throw refusal('application_not_found');
    if (version !== this.version) throw refusal('application_stale');
    this.saves.push(patch);
    this.write(patch);
    if (this.losesReply) {
      this.losesReply = false;
      throw new UnknownOutcomeError('lost');
    }
    return this.application();
  }

  write(patch: KycAnswersPatch): void {
    const answers = Object.entries({ ...this.answers, ...patch });
    this.answers = Object.fromEntries(answers.filter(([, answer]) => answer !== null));
    const mark = patch['securityAnswerHash'];
    if (mark !== undefined) this.securityAnswerMark = mark;
    this.version += 1;
  }
}

function refusal(code: ErrorCode, errors: { path: string; message: string }[] = []): ApiError {
  return new ApiError({
    type: '',
    title: code,
    status: errorStatus(code),
    code,
    requestId: '',
    errors,
  });
}

function open(server = new Server()) {
  return { server, autosave: new Autosave(server.application(), server) };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('Autosave', () => {
  test('saves once, half a second after the last edit', async () => {
    const { server, autosave } = open();
    autosave.edit('city', 'Sea');
    await wait(AUTOSAVE_DELAY_MS - 1);
    autosave.edit('city', 'Seattle');
    await wait(AUTOSAVE_DELAY_MS - 1);
    expect(server.saves).toEqual([]);
    expect(autosave.state()).toMatchObject({ status: 'waiting', hasUnsaved: true });
    await wait(1);
    expect(server.saves).toEqual([{ city: 'Seattle' }]);
    expect(autosave.state()).toMatchObject({ status: 'idle', hasUnsaved: false });
    expect(autosave.state().savedAt).not.toBeNull();
  });

  test('keeps what does not look right yet, without sending it', async () => {
    const { server, autosave } = open();
    autosave.edit('dateOfBirth', '03/14');
    autosave.edit('city', 'Seattle');
    await wait(AUTOSAVE_DELAY_MS);
    expect(server.saves).toEqual([{ city: 'Seattle' }]);
    expect(autosave.state().hasUnsaved).toBe(true);
    expect(autosave.values().dateOfBirth).toBe('03/14');
    autosave.edit('dateOfBirth', '03/14/1991');
    await wait(AUTOSAVE_DELAY_MS);
    expect(server.answers).toMatchObject({ dateOfBirth: '1991-03-14' });
  });

  test('clears an emptied answer, and sends the hash of the security answer alone', async () => {
    const { server, autosave } = open();
    server.write({ city: 'Seattle' });
    autosave.adopt(server.application());
    autosave.edit('city', ' ');
    autosave.edit('securityAnswer', ' Biscuit ');
    expect(await autosave.flush()).toBe(true);
    expect(server.answers).toEqual({
      securityAnswerHash: '660f2dd5a2e102002a444e862b511ac51a4dc6636a46edba79d62037c738b9f2',
    });
  });

  test('tries again until a save gets through, and loses nothing', async () => {
    const { server, autosave } = open();
    server.failures = [new UnknownOutcomeError('gone'), refusal('unavailable')];
    autosave.edit('city', 'Seattle');
    await wait(AUTOSAVE_DELAY_MS);
    expect(autosave.state()).toMatchObject({ status: 'retrying', hasUnsaved: true });
    await wait(1_000);
    expect(autosave.state().status).toBe('retrying');
    await wait(2_000);
    expect(server.saves).toEqual([{ city: 'Seattle' }]);
    expect(autosave.state()).toMatchObject({ status: 'idle', hasUnsaved: false });
  });

  test('takes a save whose reply was lost for its own', async () => {
    const { server, autosave } = open();
    server.losesReply = true;
    autosave.edit('city', 'Seattle');
    await wait(AUTOSAVE_DELAY_MS);
    expect(autosave.state().status).toBe('retrying');
    await wait(1_000);
    expect(autosave.state()).toMatchObject({ status: 'idle', hasUnsaved: false });
    expect(server.answers).toEqual({ city: 'Seattle' });
  });

  test('takes it for its own also when more was typed since', async () => {
    const { server, autosave } = open();
    server.losesReply = true;
    autosave.edit('city', 'New');
    await wait(AUTOSAVE_DELAY_MS);
    autosave.edit('city', 'New York');
    await wait(AUTOSAVE_DELAY_MS);
    expect(autosave.state()).toMatchObject({ status: 'idle', hasUnsaved: false, loads: 0 });
    expect(server.answers).toEqual({ city: 'New York' });
  });

  test('never writes over a security answer given elsewhere, which nobody can see', async () => {
    const { server, autosave } = open();
    server.write({ securityAnswerHash: 'first' });
    autosave.adopt(server.application());
    server.write({ securityAnswerHash: 'second' });
    autosave.edit('securityAnswer', 'Biscuit');
    expect(await autosave.flush()).toBe(false);
    expect(autosave.state().status).toBe('conflict');
    expect(server.answers).toEqual({ securityAnswerHash: 'second' });
  });

  test('sends one save at a time, also when several waited for one that failed', async () => {
    const { server, autosave } = open();
    server.delayMs = 1_000;
    server.failures = [new UnknownOutcomeError('gone')];
    autosave.edit('city', 'Tacoma');
    await wait(AUTOSAVE_DELAY_MS);
    autosave.edit('city', 'Seattle');
    await wait(AUTOSAVE_DELAY_MS);
    void autosave.flush();
    await wait(10_000);
    expect(server.mostInFlight).toBe(1);
    expect(server.answers).toEqual({ city: 'Seattle' });
  });

  test('sends nothing into the application of the next person at this browser', async () => {
    const { server, autosave } = open();
    autosave.edit('idNumber', 'SPEC-1');
    server.id = 'of-the-next-person';
    await wait(AUTOSAVE_DELAY_MS);
    expect(autosave.state().status).toBe('stopped');
    expect(server.saves).toEqual([]);
  });

  test('sends nothing once its owner left without saving', async () => {
    const { server, autosave } = open();
    server.failures = [new UnknownOutcomeError('gone')];
    autosave.edit('idNumber', 'SPEC-1');
    await wait(AUTOSAVE_DELAY_MS);
    autosave.forget();
    await wait(60_000);
    expect(server.saves).toEqual([]);
    expect(autosave.state()).toMatchObject({ status: 'idle', hasUnsaved: false });
    expect(await autosave.flush()).toBe(false);
  });

  test('never writes over a change made elsewhere', async () => {
    const { server, autosave } = open();
    server.write({ city: 'Portland' });
    autosave.edit('city', 'Seattle');
    autosave.edit('state', 'WA');
    await wait(AUTOSAVE_DELAY_MS);
    expect(autosave.state().status).toBe('conflict');
    expect(autosave.values()).toMatchObject({ city: 'Seattle', state: 'WA' });
    expect(server.saves).toEqual([]);

    autosave.loadNewer();
    await wait(0);
    expect(autosave.values()).toMatchObject({ city: 'Portland', state: 'WA' });
    expect(server.answers).toEqual({ city: 'Portland', state: 'WA' });
    expect(autosave.state()).toMatchObject({ status: 'idle', loads: 1 });
  });

  test('shows newer answers of the server only while nothing is typed', () => {
    const { server, autosave } = open();
    server.write({ city: 'Portland' });
    autosave.edit('state', 'WA');
    autosave.adopt(server.application());
    expect(autosave.values().city).toBe('');
  });

  test('holds back what the server refuses and saves the rest', async () => {
    const { server, autosave } = open();
    server.failures = [
      refusal('invalid_request', [{ path: 'answers.city', message: 'Use plain text on one line' }]),
    ];
    autosave.edit('city', 'Sea\ud800ttle');
    autosave.edit('state', 'WA');
    await wait(AUTOSAVE_DELAY_MS);
    expect(server.answers).toEqual({ state: 'WA' });
    expect(autosave.state().refused).toEqual({ city: 'Use plain text on one line' });
    autosave.edit('city', 'Seattle');
    await wait(AUTOSAVE_DELAY_MS);
    expect(server.answers).toEqual({ state: 'WA', city: 'Seattle' });
    expect(autosave.state().refused).toEqual({});
  });

  test.each(['application_wrong_status', 'unauthenticated'] as const)(
    'stops at %s',
    async (code) => {
      const { server, autosave } = open();
      server.failures = [refusal(code)];
      autosave.edit('city', 'Seattle');
      await wait(AUTOSAVE_DELAY_MS);
      await wait(60_000);
      expect(autosave.state()).toMatchObject({ status: 'stopped', hasUnsaved: true });
      expect(server.saves).toEqual([]);
    },
  );
});
