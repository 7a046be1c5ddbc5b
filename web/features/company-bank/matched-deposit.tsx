import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActDialog } from '#web/desk/act-dialog.tsx';
import { bulkActs } from '#web/desk/acts.ts';
import { ActButton } from '#web/desk/details.tsx';
import { readOne } from '#web/desk/read-one.ts';
import { DEPOSIT_DESK } from '#web/features/deposits/desk.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { isLegal } from '#web/lib/offered-acts.ts';
import { TextLink } from '#web/ui/link-button.tsx';

/**
 * A deposit whose money a line shows. Where it waits, it is decided here by the same acts as on Deposits, each with its own
 * question, second person and refusal: matching it approves nothing.
 */
export function MatchedDeposit({ id, name }: { id: string; name: string }) {
  const query = useQuery(readOne(DEPOSIT_DESK, id));
  const [act, setAct] = useState<string>();
  return (
    <LoadedQuery query={query} what="the deposit" lines={1}>
      {(deposit) => (
        <>
          <TextLink href={`/admin/deposits?deposit=${id}`}>{`Open ${name}`}</TextLink>
          <div className="bank-panel__acts">
            {bulkActs(DEPOSIT_DESK.thing)
              .filter((one) => isLegal(deposit, one))
              .map((one) => (
                <ActButton
                  key={one}
                  thing={DEPOSIT_DESK.thing}
                  act={one}
                  one={deposit}
                  onAct={setAct}
                />
              ))}
          </div>
          {act !== undefined && (
            <ActDialog
              desk={DEPOSIT_DESK}
              act={act}
              row={deposit}
              onClose={() => setAct(undefined)}
            />
          )}
        </>
      )}
    </LoadedQuery>
  );
}
