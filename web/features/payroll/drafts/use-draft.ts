import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PayrollDraft, RouteInput } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { ApiError, call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { lastMinorOf, minorOf } from './amounts.ts';
import type { Change, DraftPerson, Edits } from './amounts.ts';

/** Time without a change after which a draft is saved. */
const SAVE_AFTER_MS = 800;

type Fields = Omit<RouteInput<'adminSavePayrollDraft'>['body'], 'version' | 'people'>;

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

/** Another person's save, after which some of the amounts typed here differ from theirs. */
export interface Conflict {
  who: string;
  people: { person: DraftPerson; minor: bigint | null }[];
}

const sheetKey = (id: string) => ['adminGetDraftPeople', { params: { id } }] as const;

/**
 * A draft with everyone in it, kept as it is changed: amounts and fields are saved by themselves after a moment. A
 * save that another person was faster than is repeated on what they saved; where both changed the same amount it
 * waits until somebody chooses.
 */
export function useDraft(id: string) {
  const queryClient = useQueryClient();
  const draftQuery = apiQuery('adminGetPayrollDraft', { params: { id } });
  const draft = useQuery(draftQuery);
  const hasSheet = draft.data?.hasOwnAmounts === true || draft.data?.department === 'chosen';
  const sheet = useQuery({
    queryKey: sheetKey(id),
    queryFn: ({ signal }) => loadSheet(id, signal),
    enabled: hasSheet,
  });
  const [edits, setEdits] = useState<Edits>(new Map());
  const [fields, setFields] = useState<Fields>({});
  const [past, setPast] = useState<readonly Change[]>([]);
  const [future, setFuture] = useState<readonly Change[]>([]);
  const [conflict, setConflict] = useState<Conflict>();
  const [failure, setFailure] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const pending = useRef({ edits, fields });
  useEffect(() => {
    pending.current = { edits, fields };
  });
  const hasPending = edits.size > 0 || Object.keys(fields).length > 0;
  useUnsavedWork(hasPending, 'screen');

  const keep = useCallback(
    (saved: PayrollDraft, sent: Edits) => {
      queryClient.setQueryData(draftQuery.queryKey, saved);
      queryClient.setQueryData<DraftSheet>(sheetKey(id), (old) => old && merge(old, saved, sent));
      setEdits((now) => without(now, sent));
    },
    // The key is made of the id alone.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [queryClient, id],
  );

  const save = useCallback(async (): Promise<void> => {
    const { edits: sentEdits, fields: sentFields } = pending.current;
    const known = queryClient.getQueryData(draftQuery.queryKey);
    if (known === undefined) return;
    setSaving(true);
    setFailure(undefined);
    try {
      const people = [...sentEdits].map(([personId, minor]) => ({
        id: personId,
        amount: minor === null ? null : money(minor, known.total.currency),
      }));
      const body = { ...sentFields, version: known.version, people };
      const saved = await call('adminSavePayrollDraft', { params: { id }, body });
      setFields((now) => (now === sentFields ? {} : now));
      keep(saved, sentEdits);
      if (sentFields.startFrom !== undefined || sentFields.walletType !== undefined) {
        await queryClient.invalidateQueries({ queryKey: sheetKey(id) });
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.problem.code !== 'payroll_draft_changed') {
        setFailure(error as Error);
        return;
      }
      const before = queryClient.getQueryData<DraftSheet>(sheetKey(id));
      await queryClient.refetchQueries({ queryKey: draftQuery.queryKey });
      await queryClient.refetchQueries({ queryKey: sheetKey(id) });
      const after = queryClient.getQueryData<DraftSheet>(sheetKey(id));
      const people = changedByBoth(before, after, sentEdits);
      if (people.length > 0) {
        const { who } = error.problem.details as { who: string };
        setConflict({ who, people });
      }
    } finally {
      setSaving(false);
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [queryClient, id, keep]);

  const isWaiting = isSaving || failure !== undefined || conflict !== undefined;
  useEffect(() => {
    if (!hasPending || isWaiting) return undefined;
    const timer = setTimeout(() => void save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [edits, fields, hasPending, isWaiting, save, draft.data?.version]);

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
    }
    setConflict(undefined);
  }

  /** Saves what is not saved yet. @returns the draft as it is saved; undefined before it was loaded */
  async function saveNow(): Promise<PayrollDraft | undefined> {
    const { edits: unsaved, fields: typed } = pending.current;
    if (unsaved.size > 0 || Object.keys(typed).length > 0) await save();
    return queryClient.getQueryData(draftQuery.queryKey);
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

/** People whose amount was changed here, and by another person to another amount. */
function changedByBoth(
  before: DraftSheet | undefined,
  after: DraftSheet | undefined,
  edits: Edits,
): Conflict['people'] {
  const none: Edits = new Map();
  const known = new Map(before?.people.map((person) => [person.id, minorOf(person, none)]));
  return (after?.people ?? []).flatMap((person) => {
    const minor = edits.get(person.id);
    const theirs = minorOf(person, none);
    const isBoth = minor !== undefined && theirs !== known.get(person.id) && theirs !== minor;
    return isBoth ? [{ person, minor }] : [];
  });
}

/** True if a person's amount is another than last time. */
export function isChanged(person: DraftPerson, edits: Edits): boolean {
  return minorOf(person, edits) !== lastMinorOf(person);
}
