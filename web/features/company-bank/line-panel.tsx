import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Fragment, useSyncExternalStore, type ReactNode } from 'react';
import { ActionButton } from '#web/kit/action.tsx';
import { formatCount, formatDay, formatDayRange } from '#web/lib/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { itemWords, REASON_WORDS } from './bank-words.ts';
import type { BankLine, CompanyBank } from './bank-words.ts';
import { useUnmatch } from './use-match.ts';
import { Candidates } from './candidates.tsx';

interface LinePanelProps {
  line: BankLine;
  /** The statement that has the line; undefined for one that the screen does not list. */
  statement: CompanyBank['statements'][number] | undefined;
  /** Lines before and after it in the list. */
  previous: string | undefined;
  next: string | undefined;
  onOpen: (id: string | undefined) => void;
  onMakeRule: (line: BankLine) => void;
  /** Draws the acts of a deposit that the line is matched with: matching it approves nothing. */
  drawDeposit: (id: string) => ReactNode;
}

/** One line of a statement with what it is, or could be: next to the list, or over it where the page is narrow. */
export function LinePanel({ line, previous, next, onOpen, ...drawn }: LinePanelProps) {
  const isWide = useIsWide();
  const title = `Line of ${formatDay(line.bookedOn, 'short')}`;
  const steps = (
    <span>
      <IconButton
        isSmall
        icon={ChevronUp}
        label="Previous line"
        shortcut="K"
        isDisabled={previous === undefined}
        onPress={() => onOpen(previous)}
      />
      <IconButton
        isSmall
        icon={ChevronDown}
        label="Next line"
        shortcut="J"
        isDisabled={next === undefined}
        onPress={() => onOpen(next)}
      />
      {isWide && (
        <IconButton isSmall icon={X} label="Close line" onPress={() => onOpen(undefined)} />
      )}
    </span>
  );
  if (!isWide) {
    return (
      <Dialog title={title} onClose={() => onOpen(undefined)}>
        <div className="bank-panel__inner">
          {steps}
          <LineDetails line={line} {...drawn} />
        </div>
      </Dialog>
    );
  }
  return (
    <aside className="bank-panel" aria-label={title}>
      <div className="bank-panel__head">
        <h2 className="section-title">{title}</h2>
        {steps}
      </div>
      <div className="bank-panel__inner bank-panel__body">
        <LineDetails line={line} {...drawn} />
      </div>
    </aside>
  );
}

function LineDetails({
  line,
  statement,
  onMakeRule,
  drawDeposit,
}: Pick<LinePanelProps, 'line' | 'statement' | 'onMakeRule' | 'drawDeposit'>) {
  const { amount, text, references, position, counterparty } = line;
  return (
    <>
      <Balance amount={amount} signs="always" size="small" />
      <Facts
        isTight
        facts={[
          { label: 'Bank’s text', value: text === '' ? 'None' : text },
          ...(counterparty === null ? [] : [{ label: 'Counterparty', value: counterparty }]),
          { label: 'Reference', value: references.length === 0 ? 'None' : references.join(', ') },
          { label: 'Statement', value: placeOf(position, statement) },
        ]}
      />
      {line.parts.length > 0 && <Parts parts={line.parts} />}
      {line.status === 'matched' ? (
        <Matched line={line} drawDeposit={drawDeposit} />
      ) : (
        <Candidates key={line.id} line={line} onMakeRule={onMakeRule} />
      )}
    </>
  );
}

/** "Dec 3 – 7, line 2 of 12" */
function placeOf(position: number, statement: LinePanelProps['statement']): string {
  const line = position === 0 ? 'opening balance' : `line ${position}`;
  if (statement === undefined) return line;
  const of = position === 0 ? '' : ` of ${formatCount(statement.lines)}`;
  return `${formatDayRange(statement.from, statement.to)}, ${line}${of}`;
}

/** Payments of a batch that the bank booked as one line. */
function Parts({ parts }: { parts: BankLine['parts'] }) {
  return (
    <Facts
      isTight
      facts={parts.map(({ text, counterparty, references, amount }, index) => ({
        label: `Payment ${index + 1}`,
        value: (
          <>
            {[counterparty ?? text, ...references].filter((word) => word !== '').join(', ')}{' '}
            {amount !== null && <Money amount={amount} signs="always" />}
          </>
        ),
      }))}
    />
  );
}

/** Width from which a line is shown next to the list, as in the style sheet. */
const WIDE = '(min-width: 1280px)';

function useIsWide(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(WIDE);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => window.matchMedia(WIDE).matches,
    () => true,
  );
}

function Matched({ line, drawDeposit }: Pick<LinePanelProps, 'line' | 'drawDeposit'>) {
  const unmatch = useUnmatch();
  return (
    <>
      <Facts
        isTight
        facts={[
          ...line.matchedWith.map((item, index) => ({
            label: index === 0 ? 'Matched with' : `Item ${index + 1}`,
            value: (
              <>
                {itemWords(item)} <Money amount={item.amount} signs="always" />
              </>
            ),
          })),
          {
            label: 'Why',
            value: [line.matched?.by, line.matched && REASON_WORDS[line.matched.reason]]
              .filter(Boolean)
              .join(', '),
          },
        ]}
      />
      {line.matchedWith.map(
        ({ kind, itemId, name }) =>
          kind === 'deposit' &&
          itemId !== null && (
            <Fragment key={itemId}>
              <TextLink href={`/admin/deposits?deposit=${itemId}`}>{`Open ${name}`}</TextLink>
              {drawDeposit(itemId)}
            </Fragment>
          ),
      )}
      <ActionButton
        action={{ isPending: unmatch.isPending, mutate: () => unmatch.mutate(line) }}
        pending="Taking back"
        why={line.refusal ?? undefined}
      >
        Take Match Back
      </ActionButton>
    </>
  );
}
