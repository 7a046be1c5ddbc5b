import type { KycApplication } from '#contract/api.ts';
import type { KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import { ApiError } from '#web/api/client.ts';
import {
  fieldOf,
  valuesOf,
  type AnswerField,
  type AnswerValues,
} from '#web/features/kyc/answer-values.ts';
import type { Problems } from '#web/lib/form.ts';
import { changedElsewhere, entriesOf, patchOf, type Edits } from './answers-patch.ts';
import { UnhashableError } from './hash-answer.ts';

/** After the last edit. */
export const AUTOSAVE_DELAY_MS = 500;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** The application into which the changes were typed. */
export type SeenApplication = Pick<KycApplication, 'id' | 'version'>;

export interface AutosaveServer {
  save: (seen: SeenApplication, answers: KycAnswersPatch) => Promise<KycApplication>;
  load: () => Promise<KycApplication>;
}

export interface SaveState {
  /**
   * `retrying`: the last save did not get through; another follows. `conflict`: the answers were
   * changed elsewhere, and nothing is saved until the newer ones are loaded. `stopped`: the
   * application can no longer be edited, or nobody is signed in.
   */
  status: 'idle' | 'waiting' | 'saving' | 'retrying' | 'conflict' | 'stopped';
  /** Time at which the last save of this visit arrived. */
  savedAt: Date | null;
  /** As the server last sent it. */
  application: KycApplication;
  /** Something was typed that is not saved: not yet, or not in this form. */
  hasUnsaved: boolean;
  /** Answers that the server refused, until they are edited. */
  refused: Problems<AnswerValues>;
  /** Raised when answers were replaced by newer ones. */
  loads: number;
}

/**
 * Saves the answers of an application as they are typed: partial, one save at a time, repeated
 * until it gets through, and never over a change made elsewhere. What is typed is kept here until
 * the server has it.
 */
export class Autosave {
  readonly #server: AutosaveServer;
  readonly #listeners = new Set<() => void>();
  #state: SaveState;
  #edits: Edits = {};
  #newer: KycApplication | null = null;
  /** Sent, and nobody knows whether they arrived. */
  #unanswered: KycAnswersPatch[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<boolean> | null = null;
  #failures = 0;
  #isForgotten = false;

  constructor(application: KycApplication, server: AutosaveServer) {
    this.#server = server;
    this.#state = {
      status: 'idle',
      savedAt: null,
      application,
      hasUnsaved: false,
      refused: {},
      loads: 0,
    };
  }

  readonly state = (): SaveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The answers on screen: the saved ones, and over them what is not saved yet. */
  values(): AnswerValues {
    return { ...valuesOf(this.#state.application.answers), ...this.#edits };
  }

  /** Fields whose value on screen is not saved. */
  unsaved(): AnswerField[] {
    return entriesOf(this.#edits).map(([field]) => field);
  }

  edit(field: AnswerField, value: string | boolean): void {
    this.#edits = { ...this.#edits, [field]: value };
    const { refused } = this.#state;
    const others = Object.entries(refused).filter(([name]) => name !== field);
    this.#change({ refused: Object.fromEntries(others) });
    if (this.#state.status !== 'conflict') this.#schedule(AUTOSAVE_DELAY_MS);
  }

  /**
   * Saves now.
   * @returns whether everything that can be saved is
   */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    // Others may have waited for the same save: one of them goes first.
    while (this.#running !== null) await this.#running;
    if (this.#isForgotten || this.#state.status === 'conflict') return false;
    this.#running = this.#saveAll().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Drops unsaved input because its owner leaves. Nothing more is sent. */
  forget(): void {
    this.#isForgotten = true;
    this.#edits = {};
    clearTimeout(this.#timer);
    // Not `stopped`, at which the application is read again: its owner is about to be signed out.
    this.#change({ status: 'idle' });
  }

  /** Takes newer answers of the server, unless something typed here would be lost by it. */
  adopt(application: KycApplication): void {
    const isNewer = application.version > this.#state.application.version;
    if (!isNewer || this.#running !== null || this.#state.hasUnsaved) return;
    this.#change({ application, loads: this.#state.loads + 1 });
  }

  /**
   * Ends a conflict: answers changed elsewhere are taken from there, what was typed here into other
   * fields is kept and saved.
   */
  loadNewer(): void {
    const newer = this.#newer;
    if (newer === null) return;
    const changed = changedElsewhere(this.#state.application, newer, this.#unanswered).map(fieldOf);
    this.#edits = Object.fromEntries(
      entriesOf(this.#edits).filter(([field]) => !changed.includes(field)),
    ) as Edits;
    this.#newer = null;
    this.#unanswered = [];
    this.#change({ status: 'idle', application: newer, loads: this.#state.loads + 1 });
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), delayMs);
    if (this.#state.status !== 'retrying') this.#change({ status: 'waiting' });
  }

  async #saveAll(): Promise<boolean> {
    for (;;) {
      const sent = this.#edits;
      let patch: KycAnswersPatch = {};
      let fields: AnswerField[] = [];
      try {
        ({ patch, fields } = await patchOf(sent, (field) => field in this.#state.refused));
        if (fields.length === 0) {
          this.#change({ status: 'idle' });
          return true;
        }
        this.#change({ status: 'saving' });
        const isEmpty = Object.keys(patch).length === 0;
        const saved = isEmpty
          ? this.#state.application
          : await this.#server.save(this.#state.application, patch);
        if (this.#isForgotten) return false;
        if (!isEmpty) this.#unanswered = [];
        this.#settle(sent, fields);
        this.#failures = 0;
        this.#change({ application: saved, ...(isEmpty ? {} : { savedAt: new Date() }) });
      } catch (error) {
        if (this.#isForgotten || !(await this.#isMended(error, patch, fields))) return false;
      }
    }
  }

  /** Edits that were saved are no longer edits, unless they were edited again in between. */
  #settle(sent: Edits, fields: readonly AnswerField[]): void {
    this.#edits = Object.fromEntries(
      entriesOf(this.#edits).filter(
        ([field, value]) => !fields.includes(field) || sent[field] !== value,
      ),
    ) as Edits;
  }

  /** @returns true if saving can go on immediately */
  async #isMended(
    error: unknown,
    patch: KycAnswersPatch,
    fields: readonly AnswerField[],
  ): Promise<boolean> {
    if (error instanceof UnhashableError) {
      this.#change({ refused: { ...this.#state.refused, securityAnswer: error.message } });
      return true;
    }
    const code = error instanceof ApiError ? error.problem.code : undefined;
    if (code === 'application_stale') return this.#compare(patch);
    if (code === 'invalid_request' && error instanceof ApiError) {
      this.#hold(error, fields);
      return true;
    }
    if (
      code === 'unauthenticated' ||
      code === 'forbidden' ||
      code === 'application_wrong_status' ||
      code === 'application_not_found'
    ) {
      this.#change({ status: 'stopped' });
      return false;
    }
    this.#unanswered.push(patch);
    this.#retryLater();
    return false;
  }

  /**
   * The application has another version. After a save whose reply was lost that is our own doing,
   * and changes that leave the answers alone do not matter either; anything else is a conflict.
   */
  async #compare(patch: KycAnswersPatch): Promise<boolean> {
    let newer: KycApplication;
    try {
      newer = await this.#server.load();
    } catch {
      this.#retryLater();
      return false;
    }
    if (this.#isForgotten) return false;
    const { application } = this.#state;
    const changed = changedElsewhere(application, newer, this.#unanswered, patch);
    if (changed.length === 0) {
      this.#unanswered = [];
      this.#change({ application: newer });
      return true;
    }
    this.#newer = newer;
    this.#change({ status: 'conflict' });
    return false;
  }

  /** Keeps what the server refused out of the next saves, until it is edited. */
  #hold(error: ApiError, fields: readonly AnswerField[]): void {
    const refused: Problems<AnswerValues> = { ...this.#state.refused };
    const named = fields.filter((field) => {
      const name = field === 'securityAnswer' ? 'securityAnswerHash' : field;
      const message = error.field(`answers.${name}`);
      if (message !== undefined) refused[field] = message;
      return message !== undefined;
    });
    // A refusal that names none of them would be repeated forever.
    if (named.length === 0) for (const field of fields) refused[field] = error.message;
    this.#change({ refused });
  }

  #retryLater(): void {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS);
    this.#failures += 1;
    this.#change({ status: 'retrying' });
    this.#schedule(delayMs);
  }

  #change(changes: Partial<SaveState>): void {
    const hasUnsaved = Object.keys(this.#edits).length > 0;
    this.#state = { ...this.#state, ...changes, hasUnsaved };
    for (const listener of this.#listeners) listener();
  }
}
