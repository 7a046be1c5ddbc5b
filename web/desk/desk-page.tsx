import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ListDeclaration } from '#contract/api.ts';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { ListPage, type ListPageWords } from '#web/kit/list-page.tsx';
import { PayoutDetails } from '#web/kit/payout-details.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { useList } from '#web/kit/use-list.ts';
import { useSelection, type Selection } from '#web/kit/use-selection.ts';
import { ActDialog } from './act-dialog.tsx';
import { isOpen } from './acts.ts';
import { BulkBar, type BulkDeciding } from './bulk-bar.tsx';
import { BulkDecision } from './bulk-decision.tsx';
import { deskColumns } from './columns.tsx';
import { capitalized, nounOf, type Deciding, type Desk, type DeskRow } from './desk.ts';
import { Details } from './details.tsx';
import { useReadWhenPayable, useWaitWords } from './payable.ts';

interface DeskPageProps {
  desk: Desk;
}

/** Screen of a desk: its head, figures and list, with all that opens over it: details, the question before an act, bank details. */
export function DeskPage({ desk }: DeskPageProps) {
  const { thing, list, Figures, reveal } = desk;
  const state = useList(list);
  const rows: readonly DeskRow[] = state.paged.rows;
  const [opened, open] = useOpened(desk.opened);
  const [deciding, setDeciding] = useState<Deciding>();
  const [bulk, setBulk] = useState<BulkDeciding>();
  /** Ids of the things whose bank details are open. */
  const [revealed, setRevealed] = useState<readonly string[]>();
  const selection: Selection<DeskRow> = useSelection(
    rows,
    ({ id }) => id,
    (row) => isOpen(thing, row),
  );
  useReadWhenPayable(thing, rows);
  const waitOf = useWaitWords(desk);
  const now = desk.time?.as === 'age' ? state.paged.loadedAt : 0;
  const columns = useMemo(
    () =>
      deskColumns(desk, {
        now,
        waitOf,
        onOpen: ({ id }) => open(id),
        onAct: (act, row) => setDeciding({ act, row }),
      }),
    [desk, now, waitOf, open],
  );
  const { person } = state.address as { person?: string };

  return (
    <>
      <ScreenHead />
      {Figures !== undefined && <Figures />}
      <ListPage
        state={state}
        words={wordsOf(desk)}
        filters={desk.filters}
        columns={columns}
        rowKey={(row) => (row as unknown as DeskRow).id}
        selection={selection as never}
        summary={
          person !== undefined &&
          person !== '' && <PersonAlone id={person} onAll={() => state.change({ person: '' })} />
        }
        below={
          <BulkBar
            desk={desk}
            state={state}
            selection={selection}
            onReveal={setRevealed}
            onAct={setBulk}
          />
        }
      />
      {opened !== undefined && (
        <Details
          desk={desk}
          id={opened}
          onClose={() => open(undefined)}
          onReveal={() => {
            open(undefined, true);
            setRevealed([opened]);
          }}
          onAct={(act, one) => {
            open(undefined, true);
            setDeciding({ act, row: one });
          }}
        />
      )}
      {revealed !== undefined && reveal !== undefined && (
        <PayoutDetails
          operation={reveal}
          ids={revealed}
          noun={nounOf(thing)}
          onClose={() => setRevealed(undefined)}
        />
      )}
      {deciding !== undefined && (
        <ActDialog desk={desk} {...deciding} onClose={() => setDeciding(undefined)} />
      )}
      {bulk !== undefined && (
        <BulkDecision
          thing={thing}
          columns={[
            bankColumn({ header: desk.target.header, bank: desk.target.of }),
            ...desk.columns.filter(({ id }) => desk.bulkColumns?.includes(id)),
          ]}
          {...bulk}
          onClose={() => {
            setBulk(undefined);
            selection.clear();
          }}
        />
      )}
    </>
  );
}

function wordsOf({ thing, label, itemNoun, search, none }: Desk): ListPageWords<ListDeclaration> {
  const things = `${nounOf(thing)}s`;
  const words = {
    label: label ?? capitalized(things),
    itemNoun: itemNoun ?? things,
    search: { label: `Search ${things}`, placeholder: search },
    none,
    noMatch: `No ${things} found`,
  };
  return words;
}

/** The id that the address names by `word`, and its change. With `replace`, Back does not lead to the former one. */
function useOpened(word: string) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const open = useCallback(
    (id: string | undefined, replace = false) =>
      void navigate({
        to: '.',
        search: ({ [word]: _, ...view }: Record<string, unknown>) => ({
          ...view,
          ...(id !== undefined && { [word]: id }),
        }),
        replace,
      }),
    [navigate, word],
  );
  return [search[word] as string | undefined, open] as const;
}
