import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PayrollDraft } from '#contract/api.ts';
import { DRAFT_CHANGES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import { ApiError } from '#web/api/client.ts';
import type { DraftPerson } from './amounts.ts';
import { DraftWork, SAVE_AFTER_MS } from './draft-work.ts';
import type { DraftServer, LoadedDraft } from './draft-work.ts';

type Saved = Parameters<DraftServer['save']>[0];

/** A draft on a server, which others change too. Amounts are minor units. */
class Kept {
  version = 1;
  order: Partial<PayrollDraft> = {};
  readonly amounts = new Map<string, bigint | null>();
  readonly saves: Saved[] = [];
  /** Called before a save is taken. */
  before: () => void | Promise<void> = () => undefined;
  /** Called after a save was taken, before its reply arrives. */
  after: () => void = () => undefined;

  constructor(...people: string[]) {
    for (const id of people) this.amounts.set(id, null);
  }

  readonly draft = (): PayrollDraft =>
    ({
      id: 'd1',
      hasOwnAmounts: true,
      total: money(0n, 'USD'),
      changedBy: 'Renee Albright',
      payOn: null,
      walletType: 'salary',
      department: 'hr',
      description: '',
      amount: null,
      ...this.order,
      version: this.version,
    }) as PayrollDraft;

  readonly loaded = (): LoadedDraft => ({
    draft: this.draft(),
    people: Array.from(this.amounts, ([id, minor]) => personOf(id, minor)),
    lastOn: null,
  });

  /** A change by another person. */
  change(amounts: Record<string, bigint>, order: Partial<PayrollDraft> = {}): void {
    for (const [id, minor] of Object.entries(amounts)) this.amounts.set(id, minor);
    this.order = { ...this.order, ...order };
    this.version += 1;
  }

  readonly server: DraftServer = {
    save: async (body) => {
      await this.before();
      this.saves.push(body);
      const { version, people = [], startFrom, ...order } = body;
      if (version !== this.version) throw refusal('payroll_draft_changed');
      this.order = { ...this.order, ...(order as Partial<PayrollDraft>) };
      if (startFrom !== undefined) for (const id of this.amounts.keys()) this.amounts.set(id, 777n);
      for (const { id, amount } of people) {
        if (amount === 'removed') continue;
        this.amounts.set(id, amount === null ? null : BigInt(amount.minor));
      }
      this.version += 1;
      this.after();
      return this.draft();
    },
    load: () => Promise.resolve(this.loaded()),
  };

  work(): DraftWork {
    return new DraftWork(this.loaded(), this.server);
  }

  /** Amounts of everyone, in order. */
  get all(): (bigint | null)[] {
    return [...this.amounts.values()];
  }
}

function refusal(code: string): ApiError {
  return new ApiError({ code, title: code, status: 409 } as ApiError['problem']);
}

function personOf(id: string, minor: bigint | null): DraftPerson {
  return {
    id,
    name: id,
    employeeId: `TR-${id}`,
    department: 'hr',
    walletLast4: '0001',
    amount: minor === null ? null : money(minor, 'USD'),
    last: null,
    problem: null,
    breakdownNet: null,
  };
}

function typed(id: string, text: string): { id: string; text: string }[] {
  return [{ id, text }];
}

/** Amounts as the screen shows them: what is typed over what was seen. */
function shown(work: DraftWork): (bigint | null)[] {
  const { loaded, edits } = work.state();
  return loaded.people.map(({ id, amount }) => {
    const edited = edits.get(id);
    if (edited !== undefined) return edited;
    return amount === null ? null : BigInt(amount.minor);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const untilSaved = () => vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);

describe('typed text', () => {
  it('is saved by itself after a pause, together', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    work.enter(typed('a', '1,200.50'));
    work.enter(typed('b', '800'));
    work.set({ description: 'Pay' });
    expect(work.state()).toMatchObject({ status: 'waiting', hasUnsaved: true });
    await untilSaved();
    expect(kept.saves).toHaveLength(1);
    expect(kept.all).toEqual([120_050n, 80_000n]);
    expect(kept.order.description).toBe('Pay');
    expect(work.state()).toMatchObject({ status: 'idle', hasUnsaved: false });
  });

  it('while a save is on its way goes with the next one', async () => {
    const kept = new Kept('a');
    const work = kept.work();
    const held = Promise.withResolvers<void>();
    kept.before = () => held.promise;
    work.enter(typed('a', '1'));
    await untilSaved();
    work.enter(typed('a', '2'));
    await untilSaved();
    held.resolve();
    await untilSaved();
    expect(kept.saves.map(({ version }) => version)).toEqual([1, 2]);
    expect(kept.all).toEqual([200n]);
    expect(work.state().hasUnsaved).toBe(false);
  });

  it('and is no amount is kept as it is, never saved, and counts as unsaved', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    expect(work.enter([...typed('a', '12.345'), ...typed('b', '5')])).toEqual({
      filled: 1,
      wrong: 1,
    });
    await untilSaved();
    expect(kept.all).toEqual([null, 500n]);
    expect(work.state().wrong.get('a')?.text).toBe('12.345');
    expect(work.state().hasUnsaved).toBe(true);
    work.enter(typed('a', '12.34'));
    await untilSaved();
    expect(kept.all).toEqual([1234n, 500n]);
    expect(work.state().hasUnsaved).toBe(false);
  });

  it(`in more than ${DRAFT_CHANGES} cells is saved in parts`, async () => {
    const people = Array.from({ length: DRAFT_CHANGES + 1 }, (_, index) => `p${index}`);
    const kept = new Kept(...people);
    const work = kept.work();
    work.enter(people.map((id) => ({ id, text: '1' })));
    await untilSaved();
    expect(kept.saves.map((save) => save.people?.length)).toEqual([DRAFT_CHANGES, 1]);
    expect(kept.all.every((minor) => minor === 100n)).toBe(true);
  });

  it('is kept when the server does not answer, and saved by a retry', async () => {
    const kept = new Kept('a');
    const work = kept.work();
    kept.before = () => Promise.reject(new Error('offline'));
    work.enter(typed('a', '1'));
    await untilSaved();
    expect(work.state()).toMatchObject({ status: 'failed', hasUnsaved: true });
    expect(work.state().failure?.message).toBe('offline');
    kept.before = () => undefined;
    expect(await work.flush()).toBe(true);
    expect(kept.all).toEqual([100n]);
    expect(work.state().failure).toBeUndefined();
  });

  it('was saved although the reply was lost: no question, and nothing is lost', async () => {
    const kept = new Kept('a');
    const work = kept.work();
    kept.after = () => {
      kept.after = () => undefined;
      throw new Error('reply lost');
    };
    work.enter(typed('a', '1'));
    await untilSaved();
    expect(work.state().status).toBe('failed');
    expect(await work.flush()).toBe(true);
    expect(kept.all).toEqual([100n]);
    expect(work.state()).toMatchObject({ conflict: undefined, hasUnsaved: false });
  });
});

it('adds people who were chosen by name', async () => {
  const kept = new Kept('a');
  const work = kept.work();
  work.enter(typed('a', '1'));
  work.add(['b']);
  await untilSaved();
  expect(work.state().loaded.people.map(({ id }) => id)).toEqual(['a', 'b']);
  work.enter(typed('b', '2'));
  await untilSaved();
  expect(kept.all).toEqual([100n, 200n]);
});

describe('undo', () => {
  it('takes back a paste together, and redo does it again', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    work.enter(typed('a', '1'));
    work.enter([...typed('a', '2'), ...typed('b', '3')]);
    work.undo();
    expect(shown(work)).toEqual([100n, null]);
    work.redo();
    expect(shown(work)).toEqual([200n, 300n]);
    work.undo();
    work.undo();
    await untilSaved();
    expect(kept.all).toEqual([null, null]);
    expect(work.state().canUndo).toBe(false);
  });

  it('leaves what another person changed since', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    work.enter([...typed('a', '1'), ...typed('b', '1')]);
    await untilSaved();
    kept.change({ a: 900n });
    work.adopt(kept.version);
    await untilSaved();
    work.undo();
    await untilSaved();
    expect(kept.all).toEqual([900n, null]);
  });
});

describe('another person', () => {
  it('loses nothing by changing something else, and is seen', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    work.enter(typed('a', '1'));
    kept.change({ b: 200n }, { description: 'Theirs' });
    await untilSaved();
    expect(kept.all).toEqual([100n, 200n]);
    expect(shown(work)).toEqual([100n, 200n]);
    expect(work.state().loaded.draft.description).toBe('Theirs');
  });

  it('is read while nothing is saved, and what is typed meanwhile stays', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    kept.change({ b: 200n });
    work.adopt(kept.version);
    work.enter(typed('a', '1'));
    await untilSaved();
    expect(shown(work)).toEqual([100n, 200n]);
    expect(kept.all).toEqual([100n, 200n]);
  });

  it.each([
    ['theirs', [900n, 100n]],
    ['mine', [100n, 100n]],
  ] as const)('who changed the same amount: %s is kept', async (take, all) => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    work.enter([...typed('a', '1'), ...typed('b', '1')]);
    kept.change({ a: 900n });
    await untilSaved();
    expect(work.state()).toMatchObject({ status: 'conflict', conflict: { who: 'Renee Albright' } });
    expect(work.state().conflict?.people.map(({ person }) => person.id)).toEqual(['a']);
    expect(kept.all).toEqual([900n, null]);
    expect(await work.flush()).toBe(false);
    work.settle(take);
    await untilSaved();
    expect(kept.all).toEqual(all);
    expect(shown(work)).toEqual(all);
    expect(work.state().hasUnsaved).toBe(false);
  });

  it('is not overwritten without a question after changing the same field', async () => {
    const kept = new Kept('a');
    const work = kept.work();
    work.set({ description: 'Mine' });
    kept.change({}, { description: 'Theirs' });
    await untilSaved();
    expect(work.state().conflict?.fields).toEqual(['description']);
    work.settle('theirs');
    await untilSaved();
    expect(kept.order.description).toBe('Theirs');
  });

  it('is in a question after changing amounts, before they are filled in again', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    kept.change({ b: 200n });
    work.set({ startFrom: 'usual' });
    await untilSaved();
    expect(work.state().conflict?.fields).toEqual(['startFrom']);
    expect(kept.all).toEqual([null, 200n]);
    work.settle('mine');
    await untilSaved();
    expect(kept.all).toEqual([777n, 777n]);
    expect(shown(work)).toEqual([777n, 777n]);
  });
});

describe('another person, who changed the same to the same,', () => {
  it('is no reason for a question', async () => {
    const kept = new Kept('a');
    const work = kept.work();
    work.enter(typed('a', '1'));
    work.set({ description: 'Pay' });
    kept.change({ a: 100n }, { description: 'Pay' });
    await untilSaved();
    expect(work.state()).toMatchObject({ status: 'idle', conflict: undefined });
    expect(kept.all).toEqual([100n]);
  });
});

describe('amounts that are filled in again', () => {
  it('are filled in once, and what is typed after them stays', async () => {
    const kept = new Kept('a', 'b');
    const work = kept.work();
    work.enter(typed('a', 'x'));
    work.set({ startFrom: 'usual' });
    work.enter(typed('b', '5'));
    await untilSaved();
    expect(kept.all).toEqual([777n, 500n]);
    expect(shown(work)).toEqual([777n, 500n]);
    work.enter(typed('a', '6'));
    await untilSaved();
    expect(kept.saves.map(({ startFrom }) => startFrom)).toEqual(['usual', undefined]);
    expect(kept.all).toEqual([600n, 500n]);
  });
});
