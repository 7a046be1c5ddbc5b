import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { isLegal } from '#web/lib/offered-acts.ts';
import { ActDialog } from './act-dialog.tsx';
import { bulkActs } from './acts.ts';
import { nounOf, type Desk } from './desk.ts';
import { ActButton } from './details.tsx';
import { readOne } from './read-one.ts';
import './desk.css';

/**
 * Acts of one thing on a screen of another kind, such as those of a deposit next to its statement line: each with the
 * question, the second person and the refusal that it has on its own screen.
 */
export function DecideOne({ desk, id }: { desk: Desk; id: string }) {
  const query = useQuery(readOne(desk, id));
  const [act, setAct] = useState<string>();
  return (
    <LoadedQuery query={query} what={`the ${nounOf(desk.thing)}`} lines={1}>
      {(one) => (
        <>
          <div className="desk-acts">
            {bulkActs(desk.thing)
              .filter((name) => isLegal(one, name))
              .map((name) => (
                <ActButton key={name} thing={desk.thing} act={name} one={one} onAct={setAct} />
              ))}
          </div>
          {act !== undefined && (
            <ActDialog desk={desk} act={act} row={one} onClose={() => setAct(undefined)} />
          )}
        </>
      )}
    </LoadedQuery>
  );
}
