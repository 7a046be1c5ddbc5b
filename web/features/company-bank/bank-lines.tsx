import { BANK_LINES_SHOWN } from '#contract/company-bank.ts';
import { formatMoney, money } from '#contract/money.ts';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { NumberedPager } from '#web/kit/numbered-pager.tsx';
import { counted, formatDay, formatDayRange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Section } from '#web/ui/section.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { Status } from '#web/ui/status.tsx';
import { TypedSearch } from '#web/ui/typed-search.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { itemWords, lineWords, REASON_WORDS, sumOf } from './bank-words.ts';
import type { BankLine, CompanyBank } from './bank-words.ts';
import { useMatch } from './use-match.ts';

/** Value of the choice of all lines that have no match. */
export const ALL_OPEN = 'open';

interface BankLinesProps {
  /** Those of the page, in the order of the screen. */
  lines: readonly BankLine[];
  search: string;
  /** From 1. */
  page: number;
  /** Number of lines of all pages. */
  total: number;
  statements: CompanyBank['statements'];
  /** Statement that is shown, or `ALL_OPEN`. */
  shown: string;
  onShow: (statement: string) => void;
  onSearch: (search: string) => void;
  onGoTo: (page: number) => void;
  openId: string | undefined;
  onOpen: (id: string) => void;
}

const GROUP_LABELS = { unmatched: 'Unmatched', suggested: 'Suggested', matched: 'Matched' };

/** Lines of a statement, in groups by status. */
export function BankLines(props: BankLinesProps) {
  const { lines, search, page, total, statements, shown, openId } = props;
  const { onShow, onSearch, onGoTo, onOpen } = props;
  const match = useMatch();
  const part = total > BANK_LINES_SHOWN ? 'on this page' : '';
  const columns = columnsOf({ lines, part, onOpen }, (line) => {
    if (line.suggestion === null) return;
    const { item, ruleId } = line.suggestion;
    match.mutate({ line, items: [item], ruleId, isSuggestion: ruleId === null });
  });
  return (
    <Section title="Statement lines">
      <div className="bank-desk__filters">
        <TypedSearch
          label="Search lines"
          placeholder="Search text, amount or reference"
          text={search}
          onSearch={onSearch}
        />
        <FilterSelect
          label="Statement"
          value={shown}
          onChange={onShow}
          options={[
            { value: ALL_OPEN, label: 'All without a match' },
            ...statements.map(({ id, from, to }) => ({
              value: id,
              label: formatDayRange(from, to),
            })),
          ]}
        />
      </div>
      <Table
        label="Statement lines, unmatched first"
        isDense
        hasRowKeys
        columns={columns}
        rows={lines}
        isSelected={({ id }) => id === openId}
        groups={{ of: ({ status }) => status, isFolded: () => false }}
        placeholder={
          lines.length > 0 ? undefined : search === '' ? (
            <EmptyState
              title="Every line has a match"
              hint="Lines of the next statement appear here."
            />
          ) : (
            <EmptyState title="No lines found" hint="Try another text or amount." />
          )
        }
      />
      <NumberedPager
        {...{ page, onGoTo, total, pageSize: BANK_LINES_SHOWN }}
        {...{ shown: lines.length, itemNoun: 'lines' }}
      />
      <Closing statement={statements.find(({ id }) => id === shown)} />
    </Section>
  );
}

/** Sum of the shown statement: "Opening $373,093.50 + 12 lines +$1,908.99 = closing $375,002.49". */
function Closing({ statement }: { statement: CompanyBank['statements'][number] | undefined }) {
  if (statement === undefined) return null;
  const { opening, closing, lines } = statement;
  const sum = money(BigInt(closing.minor) - BigInt(opening.minor), closing.currency);
  return (
    <p className="meta num mt-3">
      {`Opening ${formatMoney(opening)} + ${counted(lines, 'line')} ${formatMoney(sum, 'always')} = closing ${formatMoney(closing)}`}
    </p>
  );
}

function columnsOf(
  {
    lines: all,
    part,
    onOpen,
  }: Pick<BankLinesProps, 'lines' | 'onOpen'> & {
    /** Words about a part of the lines. */
    part: string;
  },
  onMatch: (line: BankLine) => void,
): Column<BankLine>[] {
  return [
    {
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      cell: ({ bookedOn }) => <span className="nowrap">{formatDay(bookedOn, 'short')}</span>,
    },
    {
      id: 'text',
      header: 'Bank’s text',
      isRowHeader: true,
      narrow: 'start',
      cell: (line) => (
        <RowLink label={`Line ${lineWords(line)}`} onPress={() => onOpen(line.id)}>
          {lineWords(line)}
        </RowLink>
      ),
      group: (key) => {
        const lines = all.filter(({ status }) => status === key);
        const label = GROUP_LABELS[key as keyof typeof GROUP_LABELS];
        return `${label}, ${counted(lines.length, 'line')} ${part}`.trimEnd();
      },
    },
    { id: 'match', header: 'Match', narrow: 'hidden', cell: (line) => <Match line={line} /> },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: ({ amount }) => <Money amount={amount} signs="always" />,
      group: (key) => {
        const sum = sumOf(all.filter(({ status }) => status === key).map(({ amount }) => amount));
        return sum === undefined ? null : <Money amount={sum} signs="always" />;
      },
    },
    {
      ...ACTIONS_COLUMN,
      narrow: 'end-second',
      cell: (line) =>
        line.status === 'matched' ? (
          <Status status="completed" label="Matched" />
        ) : line.status === 'suggested' ? (
          <Button
            shape="text"
            aria-label={`Match ${lineWords(line)}`}
            // A key alone completes no payments.
            shortcut={line.suggestion?.item.kind === 'payout_file' ? undefined : 'M'}
            onPress={() => onMatch(line)}
          >
            Match
          </Button>
        ) : (
          <Button
            shape="text"
            aria-label={`Open ${lineWords(line)}`}
            onPress={() => onOpen(line.id)}
          >
            Open
          </Button>
        ),
    },
  ];
}

function Match({ line: { status, suggestion, matchedWith, matched } }: { line: BankLine }) {
  if (suggestion !== null) {
    return (
      <>
        {itemWords(suggestion.item)}
        <span className="bank-why">{suggestion.why}</span>
      </>
    );
  }
  if (status === 'unmatched' || matched === null)
    return <span className="meta">No one item of this amount</span>;
  return (
    <>
      {matchedWith.map(itemWords).join(', ')}
      <span className="bank-why">
        {' '}
        {REASON_WORDS[matched.reason]}
        {matched.by !== null && `, ${matched.by}`}
      </span>
    </>
  );
}
