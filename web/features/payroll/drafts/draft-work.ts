import type { PayrollDraft, RouteInput } from '#contract/api.ts';
import { DRAFT_CHANGES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import { ApiError } from '#web/api/client.ts';
import { minorOf, readCell } from './amounts.ts';
import type { DraftPerson, Edits } from './amounts.ts';
import { changedByBoth, fieldsOfBoth, NOTHING } from './conflict.ts';
import type { Conflict, Fields } from './conflict.ts';

/** Time from the first change that is not saved until it is. */
export const SAVE_AFTER_MS = 800;

/** A draft with everyone in it, all of one version. */
export interface LoadedDraft {
  draft: PayrollDraft;
  /** Nobody where each gets the same amount. */
  people: readonly DraftPerson[];
  /** The payday of the last payroll. */
  lastOn: string | null;
}

export interface DraftServer {
  save: (body: RouteInput<'adminSavePayrollDraft'>['body']) => Promise<PayrollDraft>;
  load: () => Promise<LoadedDraft>;
}

/** Text of a cell that is no amount, and why. */
export interface Wrong {
  text: string;
  problem: string;
}

export interface DraftState {
  /** As it was seen: the changes were made on it. */
  loaded: LoadedDraft;
  /** Amounts that are not saved yet. */
  edits: Edits;
  /** Cells that are no amounts. */
  wrong: ReadonlyMap<string, Wrong>;
  fields: Fields;
  /** `failed`: the last save did not get through; the next change or a retry repeats it. */
  status: 'idle' | 'waiting' | 'saving' | 'failed' | 'conflict';
  failure: Error | undefined;
  conflict: Conflict | undefined;
  /** Something is not saved: not yet, or because it is no amount. */
  hasUnsaved: boolean;
  canUndo: boolean;
}

/** A change of some amounts, which one undo takes back. */
type Change = readonly { id: string; before: bigint | null; after: bigint | null }[];

/**
 * Changes of a draft, saved by themselves: one save after another, and never over what somebody else saved. A save
 * that another person was faster than is repeated on theirs; where both changed the same it waits until somebody
 * chooses. What is typed is kept here until the server has it.
 */
export class DraftWork {
  readonly #server: DraftServer;
  readonly #listeners = new Set<() => void>();
  #state: DraftState;
  #past: readonly Change[] = [];
  #future: readonly Change[] = [];
  #newer: LoadedDraft | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<boolean> | undefined;

  constructor(loaded: LoadedDraft, server: DraftServer) {
    this.#server = server;
    this.#state = {
      loaded,
      edits: new Map(),
      wrong: new Map(),
      fields: NOTHING,
      status: 'idle',
      failure: undefined,
      conflict: undefined,
      hasUnsaved: false,
      canUndo: false,
    };
  }

  readonly state = (): DraftState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Takes what was typed or pasted into cells; one undo takes it back together.
   *
   * @returns how many are amounts, or empty, and how many are neither
   */
  enter(cells: readonly { id: string; text: string }[]): { filled: number; wrong: number } {
    const { loaded, edits } = this.#state;
    const { currency } = loaded.draft.total;
    const people = this.#peopleOf(cells.map(({ id }) => id));
    const wrong = new Map(this.#state.wrong);
    const change = new Map<string, Change[number]>();
    let unread = 0;
    for (const { id, text } of cells) {
      const person = people.get(id);
      const read = readCell(text, currency);
      if (person === undefined) continue;
      if ('problem' in read) {
        wrong.set(id, { text, problem: read.problem });
        unread += 1;
      } else {
        wrong.delete(id);
        change.set(id, { id, before: minorOf(person, edits), after: read.minor });
      }
    }
    this.#change({ wrong });
    const real = [...change.values()].filter(({ before, after }) => before !== after);
    if (real.length > 0) {
      this.#past = [...this.#past, real];
      this.#future = [];
      this.#apply(real.map(({ id, after }) => [id, after]));
    }
    return { filled: change.size, wrong: unread };
  }

  /** Adds people who were chosen by name, without amounts yet. */
  add(ids: readonly string[]): void {
    this.#apply(ids.map((id) => [id, null]));
    void this.flush();
  }

  /** Takes the last change back, where nobody changed it since. */
  readonly undo = (): void => {
    const last = this.#past.at(-1);
    if (last === undefined) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, last];
    this.#step(last, 'after', 'before');
  };

  readonly redo = (): void => {
    const next = this.#future.at(-1);
    if (next === undefined) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, next];
    this.#step(next, 'before', 'after');
  };

  /** Changes the order itself. Where amounts are filled in again, what was typed into cells is gone. */
  readonly set = (changed: Fields): void => {
    const fields = { ...this.#state.fields, ...changed };
    if (changed.startFrom === undefined) this.#change({ fields });
    else {
      this.#past = [];
      this.#future = [];
      this.#change({ fields, edits: new Map(), wrong: new Map() });
    }
    this.#schedule(SAVE_AFTER_MS);
  };

  /** Takes what the other person saved, or keeps what was typed here. */
  settle(take: 'theirs' | 'mine'): void {
    const { conflict } = this.#state;
    if (conflict === undefined || this.#newer === undefined) return;
    const [edits, fields] =
      take === 'mine'
        ? [this.#state.edits, this.#state.fields]
        : [
            without(this.#state.edits, (id) =>
              conflict.people.some(({ person }) => person.id === id),
            ),
            withoutFields(this.#state.fields, (name) => conflict.fields.includes(name)),
          ];
    const loaded = this.#newer;
    this.#newer = undefined;
    this.#change({ loaded, edits, fields, conflict: undefined, status: 'idle' });
    this.#schedule(0);
  }

  /** Reads the draft again where another person saved it. */
  adopt(version: number): void {
    const isNewer = version > this.#state.loaded.draft.version;
    if (!isNewer || this.#running !== undefined || this.#state.status === 'conflict') return;
    void this.#alone(() => this.#catchUp());
  }

  /** Saves now. @returns true if everything that can be saved is */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    // Others may have waited for the same save: one of them goes first.
    // oxlint-disable-next-line no-await-in-loop -- one after another
    while (this.#running !== undefined) await this.#running;
    if (this.#state.status === 'conflict') return false;
    return this.#alone(() => this.#saveAll());
  }

  #alone(run: () => Promise<boolean>): Promise<boolean> {
    this.#running = run()
      .catch((error: unknown) => {
        this.#change({ status: 'failed', failure: error as Error });
        return false;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #saveAll(): Promise<boolean> {
    while (this.#hasChanges()) {
      this.#change({ status: 'saving', failure: undefined });
      // Fields first: they may fill in the amounts that the edits are made on.
      const fields = this.#state.fields;
      const edits = [...this.#state.edits].slice(0, DRAFT_CHANGES);
      // oxlint-disable-next-line no-await-in-loop -- each save names the version of the one before
      if (!(await this.#save(fields, new Map(edits)))) return false;
    }
    if (this.#state.status !== 'idle') this.#change({ status: 'idle' });
    return true;
  }

  async #save(fields: Fields, edits: Edits): Promise<boolean> {
    const { draft } = this.#state.loaded;
    const people = [...edits].map(([id, minor]) => ({
      id,
      amount: minor === null ? null : money(minor, draft.total.currency),
    }));
    let saved: PayrollDraft;
    try {
      saved = await this.#server.save({ ...fields, version: draft.version, people });
    } catch (error) {
      const isStale = error instanceof ApiError && error.problem.code === 'payroll_draft_changed';
      if (!isStale) throw error;
      return this.#catchUp();
    }
    const isMore = edits.size > this.#peopleOf([...edits.keys()]).size;
    const loaded =
      fillsIn(fields) || isMore ? await this.#server.load() : this.#merged(saved, edits);
    this.#change({
      loaded,
      edits: without(this.#state.edits, (id, minor) => edits.has(id) && edits.get(id) === minor),
      fields: withoutFields(this.#state.fields, (name, value) => fields[name] === value),
    });
    return true;
  }

  /** Reads what another person saved, and asks where both changed the same. @returns false if it asks */
  async #catchUp(): Promise<boolean> {
    const newer = await this.#server.load();
    const { loaded, edits, fields } = this.#state;
    const conflict = {
      who: newer.draft.changedBy,
      people: changedByBoth(loaded.people, newer.people, edits),
      fields: fieldsOfBoth(loaded, newer, fields),
    };
    if (conflict.people.length + conflict.fields.length === 0) {
      this.#change({ loaded: newer });
      return true;
    }
    this.#newer = newer;
    this.#change({ status: 'conflict', conflict });
    return false;
  }

  /** The draft with amounts that were saved. */
  #merged(draft: PayrollDraft, saved: Edits): LoadedDraft {
    const { loaded } = this.#state;
    if (saved.size === 0) return { ...loaded, draft };
    const people = loaded.people.map((person) => {
      const minor = saved.get(person.id);
      if (minor === undefined) return person;
      return { ...person, amount: minor === null ? null : money(minor, draft.total.currency) };
    });
    return { ...loaded, draft, people };
  }

  #step(change: Change, from: 'before' | 'after', to: 'before' | 'after'): void {
    const people = this.#peopleOf(change.map(({ id }) => id));
    const isAsLeft = (one: Change[number]) => {
      const person = people.get(one.id);
      return person !== undefined && minorOf(person, this.#state.edits) === one[from];
    };
    this.#apply(change.filter(isAsLeft).map((one) => [one.id, one[to]]));
  }

  #apply(amounts: readonly (readonly [string, bigint | null])[]): void {
    const edits = new Map([...this.#state.edits, ...amounts]);
    this.#change({ edits });
    this.#schedule(SAVE_AFTER_MS);
  }

  #peopleOf(ids: readonly string[]): Map<string, DraftPerson> {
    const wanted = new Set(ids);
    const people = this.#state.loaded.people.filter(({ id }) => wanted.has(id));
    return new Map(people.map((person) => [person.id, person]));
  }

  #hasChanges(): boolean {
    return this.#state.edits.size > 0 || Object.keys(this.#state.fields).length > 0;
  }

  #schedule(delayMs: number): void {
    if (this.#state.status === 'conflict') return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), delayMs);
    if (this.#running === undefined) this.#change({ status: 'waiting', failure: undefined });
  }

  #change(changed: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...changed, canUndo: this.#past.length > 0 };
    const hasUnsaved = this.#hasChanges() || this.#state.wrong.size > 0;
    this.#state = { ...this.#state, hasUnsaved };
    for (const listener of this.#listeners) listener();
  }
}

/** True if a save makes the server fill in other amounts, or show other people. */
function fillsIn({ startFrom, walletType, department }: Fields): boolean {
  return (startFrom ?? walletType ?? department) !== undefined;
}

function without(edits: Edits, isGone: (id: string, minor: bigint | null) => boolean): Edits {
  return new Map([...edits].filter(([id, minor]) => !isGone(id, minor)));
}

function withoutFields(
  fields: Fields,
  isGone: (name: keyof Fields, value: unknown) => boolean,
): Fields {
  const entries = Object.entries(fields) as [keyof Fields, unknown][];
  return Object.fromEntries(entries.filter(([name, value]) => !isGone(name, value)));
}
