import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PayrollDraft } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { ApiError, call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import type { Change, DraftPerson, Edits } from './amounts.ts';
import { changedByBoth, fieldsOfBoth } from './conflict.ts';
import type { Conflict, Fields } from './conflict.ts';

/** Time from the first change that is not saved until it is. */
const SAVE_AFTER_MS = 800;

/** Everyone of a draft, with the payday of the last payroll. */
export interface DraftSheet {
  version: number;
  lastOn: string | null;
  people: DraftPerson[];
}

async function loadSheet(id: string, signal: AbortSignal): Promise<DraftSheet> {
  const people: DraftPerson[] = [];
  let after: string | undefined;
  for (;;) {
    const query = after === undefined ? {} : { after };
    const page = await call('adminGetDraftPeople', { params: { id }, query }, { signal });
    people.push(...page.people);
    if (page.next === null) return { version: page.version, lastOn: page.lastOn, people };
    after = page.next;
  }
}

/** Changes that are not saved yet. */
interface Unsaved {
  edits: Edits;
  fields: Fields;
}

function send(
  id: string,
  base: PayrollDraft | undefined,
  { edits, fields }: Unsaved,
): Promise<PayrollDraft> {
  if (base === undefined) throw new Error('a draft is changed after it was loaded');
  const people = [...edits].map(([personId, minor]) => ({
    id: personId,
    amount: minor === null ? null : money(minor, base.total.currency),
  }));
  const body = { ...fields, version: base.version, people };
  return call('adminSavePayrollDraft', { params: { id }, body });
}

/** True if a save makes the server fill in other amounts. */
function replacesAmounts({ startFrom, walletType, department }: Fields): boolean {
  return (startFrom ?? walletType ?? department) !== undefined;
}

const draftQuery = (id: string) => apiQuery('adminGetPayrollDraft', { params: { id } });
const sheetKey = (id: string) => ['adminGetDraftPeople', { params: { id } }] as const;

/**
 * A draft with everyone in it, kept as it is changed: amounts and fields are saved by themselves after a moment. A
 * save that another person was faster than is repeated on what they saved; where both changed the same amount it
 * waits until somebody chooses.
 */
export function useDraft(id: string) {
  const queryClient = useQueryClient();
  const draft = useQuery(draftQuery(id));
  const hasSheet = draft.data?.hasOwnAmounts === true || draft.data?.department === 'chosen';
  const sheet = useQuery({
    queryKey: sheetKey(id),
    queryFn: ({ signal }) => loadSheet(id, signal),
    enabled: hasSheet,
    // Read again when the draft has another version, and never below what is being typed.
    staleTime: Infinity,
  });
  const [edits, setEdits] = useState<Edits>(new Map());
  const [fields, setFields] = useState<Fields>({});
  const [past, setPast] = useState<readonly Change[]>([]);
  const [future, setFuture] = useState<readonly Change[]>([]);
  const [conflict, setConflict] = useState<Conflict>();
  const [failure, setFailure] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const pending = useRef<Unsaved>({ edits, fields });
  const saving = useRef<Promise<boolean>>(undefined);
  useEffect(() => {
    pending.current = { edits, fields };
  });
  const hasPending = edits.size > 0 || Object.keys(fields).length > 0;
  useUnsavedWork(hasPending, 'screen');

  /** The draft on which the changes were made; the newest while there are none. */
  const base = useRef<PayrollDraft>(undefined);
  const newest = draft.data;
  const shown = sheet.data?.version;
  useEffect(() => {
    if (hasPending || isSaving || newest === undefined) return;
    base.current = newest;
    if (shown !== undefined && shown !== newest.version) {
      void queryClient.invalidateQueries({ queryKey: sheetKey(id) });
    }
  }, [hasPending, isSaving, newest, shown, queryClient, id]);

  /** Reads what another person saved. @returns what both changed, if anything */
  async function catchUp(who: string, sent: Unsaved): Promise<Conflict | undefined> {
    const former = queryClient.getQueryData<DraftSheet>(sheetKey(id))?.people ?? [];
    await queryClient.refetchQueries({ queryKey: draftQuery(id).queryKey });
    await queryClient.refetchQueries({ queryKey: sheetKey(id) });
    const saved = queryClient.getQueryData(draftQuery(id).queryKey);
    const rows = queryClient.getQueryData<DraftSheet>(sheetKey(id))?.people ?? [];
    const people = changedByBoth(former, rows, sent.edits);
    const names = fieldsOfBoth(base.current, saved, sent.fields);
    base.current = saved;
    return people.length + names.length === 0 ? undefined : { who, people, fields: names };
  }

  /** Saves, on what others saved meanwhile. @returns what both changed, if anything: then nothing is saved */
  async function saveOn(sent: Unsaved): Promise<Conflict | undefined> {
    try {
      const saved = await send(id, base.current, sent);
      base.current = saved;
      queryClient.setQueryData(draftQuery(id).queryKey, saved);
      queryClient.setQueryData<DraftSheet>(
        sheetKey(id),
        (old) => old && merge(old, saved, sent.edits),
      );
      setEdits((now) => without(now, sent.edits));
      setFields((now) => withoutFields(now, sent.fields));
      if (replacesAmounts(sent.fields)) {
        await queryClient.invalidateQueries({ queryKey: sheetKey(id) });
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || error.problem.code !== 'payroll_draft_changed')
        throw error;
      const { who } = error.problem.details as { who: string };
      return (await catchUp(who, sent)) ?? saveOn(sent);
    }
  }

  async function saveOnce(): Promise<boolean> {
    setSaving(true);
    setFailure(undefined);
    try {
      const both = await saveOn(pending.current);
      setConflict(both);
      return both === undefined;
    } catch (error) {
      setFailure(error as Error);
      return false;
    } finally {
      setSaving(false);
    }
  }

  /** @returns false if it could not be saved, and the screen says why */
  function save(): Promise<boolean> {
    saving.current ??= saveOnce().finally(() => {
      saving.current = undefined;
    });
    return saving.current;
  }
  const saveSoon = useEffectEvent(() => void save());

  const isWaiting = isSaving || failure !== undefined || conflict !== undefined;
  useEffect(() => {
    if (!hasPending || isWaiting) return undefined;
    const timer = setTimeout(saveSoon, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasPending, isWaiting]);

  function apply(changes: Change, to: 'before' | 'after'): void {
    setEdits((now) => new Map([...now, ...changes.map((one) => [one.id, one[to]] as const)]));
  }

  /** Changes some amounts; one undo takes them back together. */
  function change(changes: Change): void {
    const real = changes.filter(({ before, after }) => before !== after);
    if (real.length === 0) return;
    apply(real, 'after');
    setPast((all) => [...all, real]);
    setFuture([]);
  }

  function undo(): void {
    const last = past.at(-1);
    if (last === undefined) return;
    apply(last, 'before');
    setPast(past.slice(0, -1));
    setFuture([...future, last]);
  }

  function redo(): void {
    const next = future.at(-1);
    if (next === undefined) return;
    apply(next, 'after');
    setFuture(future.slice(0, -1));
    setPast([...past, next]);
  }

  /** Changes the order itself. Amounts that are filled in again are no longer undone. */
  function set(changed: Fields): void {
    setFields((now) => ({ ...now, ...changed }));
    if (changed.startFrom === undefined) return;
    setEdits(new Map());
    setPast([]);
    setFuture([]);
  }

  /** Takes the other person's amounts, or keeps those that were typed here. */
  function settle(take: 'theirs' | 'mine'): void {
    if (conflict !== undefined && take === 'theirs') {
      const theirs = new Set(conflict.people.map(({ person }) => person.id));
      setEdits((now) => new Map([...now].filter(([personId]) => !theirs.has(personId))));
      const names: ReadonlySet<string> = new Set(conflict.fields);
      setFields((now) =>
        Object.fromEntries(Object.entries(now).filter(([name]) => !names.has(name))),
      );
    }
    setConflict(undefined);
  }

  /** Saves what is not saved yet. @returns false if it could not, and the screen says why */
  async function saveNow(): Promise<boolean> {
    if (conflict !== undefined) return false;
    // What was changed while another save was sent is saved after it.
    if (saving.current !== undefined && !(await saving.current)) return false;
    const { edits: unsaved, fields: typed } = pending.current;
    return unsaved.size + Object.keys(typed).length === 0 || save();
  }

  return {
    ...{ draft, sheet, edits, fields, conflict, failure, isSaving, hasPending },
    ...{ change, undo, redo, set, settle, saveNow },
    canUndo: past.length > 0,
    retry: () => void save(),
  };
}

export type DraftState = ReturnType<typeof useDraft>;

/** The sheet with amounts that were saved. */
function merge(sheet: DraftSheet, { version, total }: PayrollDraft, sent: Edits): DraftSheet {
  if (sent.size === 0) return { ...sheet, version };
  const people = sheet.people.map((person) => {
    const minor = sent.get(person.id);
    if (minor === undefined) return person;
    const amount = minor === null ? null : money(minor, total.currency);
    return { ...person, amount, isNamed: true };
  });
  return { ...sheet, version, people };
}

/** Edits without those that were saved and not changed since. */
function without(edits: Edits, saved: Edits): Edits {
  return new Map([...edits].filter(([id, minor]) => saved.get(id) !== minor || !saved.has(id)));
}

function withoutFields(fields: Fields, saved: Fields): Fields {
  const known = new Map(Object.entries(saved));
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => known.get(name) !== value),
  );
}
