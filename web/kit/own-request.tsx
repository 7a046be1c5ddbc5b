import { useState, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { isLegal, refusalOf, type Offering } from '#web/lib/offered-acts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PrintReceipt } from '#web/ui/print-receipt.tsx';
import { useSettledFocus } from '#web/ui/use-settled-focus.ts';
import { LoadedQuery } from './loaded-query.tsx';

interface OwnRequestProps<One> {
  /** "Deposit details" */
  title: string;
  /** "the deposit" */
  what: string;
  query: UseQueryResult<One>;
  /** Content of class `receipt` can be printed. */
  isPrintable?: boolean;
  onClose: () => void;
  /** Question before it is taken back. */
  cancel: (one: One, onClose: () => void) => ReactNode;
  children: (one: One) => ReactNode;
}

/** One of the person's own requests in full; one that is pending can be cancelled here. */
export function OwnRequest<One extends Offering<string>>(props: OwnRequestProps<One>) {
  const { title, what, query, isPrintable = false, onClose, cancel, children } = props;
  const [isAsking, setIsAsking] = useState(false);
  const one = query.data;
  const isCancellable = one !== undefined && isLegal(one, 'cancel');
  const close = useSettledFocus(one !== undefined && !isCancellable && !isAsking);
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          {isCancellable && (
            <Button kind="danger" why={refusalOf(one, 'cancel')} onPress={() => setIsAsking(true)}>
              Cancel Request
            </Button>
          )}
          {isPrintable && <PrintReceipt />}
          <Button ref={close} onPress={onClose}>
            Close
          </Button>
        </>
      }
    >
      <LoadedQuery query={query} what={what} lines={10}>
        {children}
      </LoadedQuery>
      {one !== undefined && isAsking && cancel(one, () => setIsAsking(false))}
    </Dialog>
  );
}
