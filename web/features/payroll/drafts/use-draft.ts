import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { pagePerson } from '#web/api/session-lock.ts';
import { ReadableError } from '#web/lib/readable-error.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { DraftWork } from './draft-work.ts';
import type { DraftServer, LoadedDraft } from './draft-work.ts';

/** Turns after which a draft that others keep saving is not read any more. */
const MOST_TURNS = 5;

/** A draft with everyone in it, all of one version: read again where somebody saved it in between. */
async function loadDraft(id: string, signal?: AbortSignal): Promise<LoadedDraft> {
  const options = signal === undefined ? {} : { signal };
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- a turn says whether another follows
    const draft = await call('adminGetPayrollDraft', { params: { id } }, options);
    if (!draft.hasOwnAmounts) return { draft, people: [], lastOn: null };
    // oxlint-disable-next-line no-await-in-loop -- as above
    const sheet = await loadPeople(id, draft.version, options);
    if (sheet !== undefined) return { draft, ...sheet };
  }
  throw new ReadableError('Others are changing this draft. Please try again.');
}

/** @returns undefined where the people are of another version */
async function loadPeople(id: string, version: number, options: { signal?: AbortSignal }) {
  const people: LoadedDraft['people'][number][] = [];
  let after: string | undefined;
  for (;;) {
    const query = after === undefined ? {} : { after };
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const page = await call('adminGetDraftPeople', { params: { id }, query }, options);
    if (page.version !== version) return undefined;
    people.push(...page.people);
    if (page.next === null) return { people, lastOn: page.lastOn };
    after = page.next;
  }
}

/** The draft as it is now, for what others do to it, and as it was opened, with everyone in it. */
export function useOpenedDraft(id: string) {
  const newest = useQuery(apiQuery('adminGetPayrollDraft', { params: { id } }));
  const opened = useQuery({
    queryKey: ['adminGetDraftPeople', { params: { id } }],
    queryFn: ({ signal }) => loadDraft(id, signal),
    // Typed amounts stand on it, so it is read again by `DraftWork` alone.
    staleTime: Infinity,
    gcTime: 0,
  });
  return { newest, opened };
}

/** Changes that are not saved yet outlive the screen of their draft, for the person who made them. */
const kept = new Map<string, { work: DraftWork; person: string | null }>();

function workOn(opened: LoadedDraft): DraftWork {
  const { id } = opened.draft;
  const before = kept.get(id);
  kept.delete(id);
  if (before !== undefined && before.person === pagePerson()) return before.work;
  const server: DraftServer = {
    save: (body) => call('adminSavePayrollDraft', { params: { id }, body }),
    load: () => loadDraft(id),
  };
  return new DraftWork(opened, server);
}

/** The changes of a draft that is on screen. @param version the newest that is known */
export function useDraftWork(opened: LoadedDraft, version: number) {
  const queryClient = useQueryClient();
  const [work] = useState(() => workOn(opened));
  const state = useSyncExternalStore(work.subscribe, work.state, work.state);
  const { draft } = state.loaded;
  useUnsavedWork(state.hasUnsaved, 'screen');

  useEffect(() => work.adopt(version), [work, version]);

  useEffect(() => {
    // Back with something that a lost connection left behind.
    void work.flush();
    return () => {
      if (!work.state().hasUnsaved) return;
      kept.set(work.state().loaded.draft.id, { work, person: pagePerson() });
      void work.flush();
    };
  }, [work]);

  useEffect(() => {
    const { queryKey } = apiQuery('adminGetPayrollDraft', { params: { id: draft.id } });
    queryClient.setQueryData(queryKey, (read) =>
      read !== undefined && read.version >= draft.version ? read : draft,
    );
  }, [queryClient, draft]);

  return { work, state };
}
