import { useQuery } from '@tanstack/react-query';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { isLegal } from '#web/lib/offered-acts.ts';
import { bulkActs } from './acts.ts';
import { nounOf, type Deciding, type Desk } from './desk.ts';
import { ActButton } from './details.tsx';
import { readOne } from './read-one.ts';
import './desk.css';

interface DecideOneProps {
  desk: Desk;
  id: string;
  onDecide: (deciding: Deciding) => void;
}

/**
 * Acts of one thing on a screen of another kind, such as those of a deposit next to its statement line: each with the
 * second person and the refusal that it has on its own screen, which keeps the question ({@link ActDialog}).
 */
export function DecideOne({ desk, id, onDecide }: DecideOneProps) {
  const query = useQuery(readOne(desk, id));
  return (
    <LoadedQuery query={query} what={`the ${nounOf(desk.thing)}`} lines={1}>
      {(one) => (
        <div className="desk-acts">
          {bulkActs(desk.thing)
            .filter((name) => isLegal(one, name))
            .map((name) => (
              <ActButton
                key={name}
                thing={desk.thing}
                act={name}
                one={one}
                onAct={(act) => onDecide({ act, row: one })}
              />
            ))}
        </div>
      )}
    </LoadedQuery>
  );
}
