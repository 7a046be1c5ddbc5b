import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadedQuery } from './loaded-query.tsx';

interface NeededFirstProps {
  title: string;
  /** Choices of the form; `what` is their name in a sentence. */
  query: UseQueryResult;
  what: string;
  /** Button that leads to where it is entered. */
  next: ReactNode;
  onClose: () => void;
  /** Sentence for somebody who has none of it. */
  children: string;
}

/** Dialog in place of a form until there is something to choose from. Open while mounted. */
export function NeededFirst({ title, query, what, next, onClose, children }: NeededFirstProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Not Now</Button>
          {query.data !== undefined && next}
        </>
      }
    >
      <LoadedQuery query={query} what={what} lines={3}>
        {() => <p>{children}</p>}
      </LoadedQuery>
    </Dialog>
  );
}
