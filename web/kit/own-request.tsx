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
  /** Another act on it, with its button and the dialog that it opens. */
  next?: { act: string; label: string; dialog: (one: One, onClose: () => void) => ReactNode };
  children: (one: One) => ReactNode;
}

/** One of the person's own requests in full; one that is pending can be cancelled here. */
export function OwnRequest<One extends Offering<string>>(props: OwnRequestProps<One>) {
  const { title, what, query, isPrintable = false, onClose, cancel, next, children } = props;
  const [asked, setAsked] = useState<'cancel' | 'next'>();
  const one = query.data;
  const isCancellable = one !== undefined && isLegal(one, 'cancel');
  const hasNext = one !== undefined && next !== undefined && isLegal(one, next.act);
  const close = useSettledFocus(
    one !== undefined && !isCancellable && !hasNext && asked === undefined,
  );
  const notAsked = () => setAsked(undefined);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          {isCancellable && (
            <Button kind="danger" why={refusalOf(one, 'cancel')} onPress={() => setAsked('cancel')}>
              Cancel Request
            </Button>
          )}
          {hasNext && (
            <Button
              kind="money-outline"
              why={refusalOf(one, next.act)}
              onPress={() => setAsked('next')}
            >
              {next.label}
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
      {one !== undefined && asked === 'cancel' && cancel(one, notAsked)}
      {one !== undefined && asked === 'next' && next?.dialog(one, notAsked)}
    </Dialog>
  );
}
