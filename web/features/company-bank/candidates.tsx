import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { OWN_KIND_LABELS, OWN_KINDS } from '#contract/company-bank.ts';
import type { OwnKind } from '#contract/company-bank.ts';
import { methodInSentence } from '#contract/deposits.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Money as Amount } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { ActionButton } from '#web/kit/action.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Glyph } from '#web/ui/glyph.tsx';
import { Money } from '#web/ui/money.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { cutToLine, itemWords, sumOf } from './bank-words.ts';
import type { BankItem, BankLine, Candidate } from './bank-words.ts';
import { useMatch } from './use-match.ts';

const keyOf = ({ kind, itemId }: BankItem) => `${kind} ${itemId ?? ''}`;

interface CandidatesProps {
  line: BankLine;
  onMakeRule: (line: BankLine) => void;
}

/** Payments that a line could be, of which one or some are chosen and matched. */
export function Candidates({ line, onMakeRule }: CandidatesProps) {
  const [search, setSearch] = useState<string>();
  const [chosen, setChosen] = useState<readonly BankItem[]>([]);
  const query = useQuery(
    apiQuery('adminFindBankItems', { params: { id: line.id }, query: { search: search ?? '' } }),
  );
  const match = useMatch();
  return (
    <>
      {search !== undefined && (
        <SearchField
          label="Search another payment"
          placeholder="Reference or name"
          value={search}
          onChange={setSearch}
        />
      )}
      <LoadedQuery query={query} what="what it could be" lines={2}>
        {({ candidates }) => (
          <Choices
            line={line}
            items={search === undefined ? withSuggestion(line, candidates) : candidates}
            none={
              search === undefined || search === ''
                ? 'No open payment of this amount.'
                : 'No open payment is found. Try another reference or name.'
            }
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
      </LoadedQuery>
      <MatchButton line={line} chosen={chosen} match={match} />
      <div className="bank-panel__else">
        <Button shape="text" onPress={() => setSearch(search === undefined ? '' : undefined)}>
          {search === undefined ? 'Search another payment' : 'Back to what it could be'}
        </Button>
        {OWN_KINDS.map((kind) => (
          <Button
            key={kind}
            shape="text"
            onPress={() => match.mutate({ line, items: [ownItem(kind, line.amount)] })}
          >
            {`It is ${ownWords(kind)}`}
          </Button>
        ))}
        <Button shape="text" onPress={() => onMakeRule(line)}>
          Make a rule for lines like this
        </Button>
      </div>
    </>
  );
}

/** The company's own money, a fee or interest, as an item of a line. */
function ownItem(kind: OwnKind, amount: Amount): BankItem {
  return { kind, itemId: null, name: OWN_KIND_LABELS[kind], person: null, day: null, amount };
}

/** "the company’s own money", "bank fees" */
function ownWords(kind: OwnKind): string {
  return kind === 'own' ? 'the company’s own money' : OWN_KIND_LABELS[kind].toLowerCase();
}

function withSuggestion({ suggestion }: BankLine, items: readonly Candidate[]): readonly Shown[] {
  if (suggestion === null) return items;
  const isIt = (item: BankItem) => keyOf(item) === keyOf(suggestion.item);
  return [items.find(isIt) ?? suggestion.item, ...items.filter((item) => !isIt(item))];
}

/** Facts in which a candidate agrees with the line, each with a tick or a dash. */
function Agreement({ agrees }: Pick<Candidate, 'agrees'>) {
  const facts = [
    ['Amount', agrees.amount],
    ['Day', agrees.day],
    ['Method', agrees.method],
    ['Name', agrees.name],
  ] as const;
  return (
    <span className="bank-panel__agrees">
      {facts.map(
        ([fact, is]) =>
          is !== null && (
            <span key={fact} className="status" data-tone={is ? 'positive' : 'muted'}>
              <Glyph name={is ? 'tick' : 'dash'} />
              {fact}
              <VisuallyHidden>{is ? ' agrees' : ' does not agree'}</VisuallyHidden>
            </span>
          ),
      )}
    </span>
  );
}

/** A candidate, or what a rule proposes. */
type Shown = BankItem & Partial<Pick<Candidate, 'method' | 'agrees'>>;

interface ChoicesProps {
  line: BankLine;
  items: readonly Shown[];
  /** Sentence in place of no items. */
  none: string;
  chosen: readonly BankItem[];
  onChoose: (items: readonly BankItem[]) => void;
}

/** Candidates: one by a press, more of them until their sum is the line's amount. */
function Choices({ line, items, none, chosen, onChoose }: ChoicesProps) {
  if (items.length === 0) return <p className="meta">{none}</p>;
  const isOne = items.some(({ amount }) => amount.minor === line.amount.minor);
  if (isOne) {
    return (
      <RadioChoices
        label="What it could be"
        name="candidate"
        value={chosen[0] === undefined ? '' : keyOf(chosen[0])}
        onChange={(key) => onChoose(items.filter((item) => keyOf(item) === key))}
        choices={items.map((item) => ({
          value: keyOf(item),
          label: item.person ?? item.name,
          detail: [
            item.person === null ? null : item.name,
            item.method && methodInSentence(item.method, item.amount.currency),
            item.day && formatDay(item.day, 'short'),
          ]
            .filter(Boolean)
            .join(', '),
          consequence: <Money amount={item.amount} />,
          ...(item.agrees && { marks: <Agreement agrees={item.agrees} /> }),
        }))}
      />
    );
  }
  return (
    <ul className="bank-panel__else">
      {items.map((item) => {
        const isIn = chosen.some((one) => keyOf(one) === keyOf(item));
        const others = chosen.filter((one) => keyOf(one) !== keyOf(item));
        return (
          <li key={keyOf(item)}>
            <Button shape="text" onPress={() => onChoose(isIn ? others : [...chosen, item])}>
              {`${isIn ? 'Take out' : 'Add'} ${itemWords(item)}, ${formatMoney(item.amount, 'always')}`}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function MatchButton({
  line,
  chosen,
  match,
}: {
  line: BankLine;
  chosen: readonly BankItem[];
  match: ReturnType<typeof useMatch>;
}) {
  const sum = sumOf(chosen.map(({ amount }) => amount));
  const [first] = chosen;
  if (first === undefined || sum === undefined) return null;
  const name = chosen.length === 1 ? (first.person ?? first.name) : `${chosen.length} Payments`;
  const rest = money(BigInt(line.amount.minor) - BigInt(sum.minor), sum.currency);
  const cut = cutToLine(line, chosen);
  const part = cut?.at(-1);
  const isShort = rest.minor !== '0' && part === undefined;
  return (
    <>
      <ActionButton
        kind="solid"
        shape="block"
        action={{
          isPending: match.isPending,
          mutate: () => match.mutate({ line, items: cut ?? chosen }),
        }}
        pending="Matching"
        why={
          isShort
            ? `They add up to ${formatMoney(sum, 'always')}. The line is ${formatMoney(line.amount, 'always')}.`
            : undefined
        }
      >
        {part === undefined
          ? `Match with ${name}`
          : `Match with ${chosen.length === 1 ? '' : `${name}, `}${formatMoney(part.amount, 'always')} of ${part.name}`}
      </ActionButton>
      {isShort && (
        <div className="bank-panel__else">
          {OWN_KINDS.map((kind) => (
            <Button
              key={kind}
              shape="text"
              onPress={() => match.mutate({ line, items: [...chosen, ownItem(kind, rest)] })}
            >
              {`The rest, ${formatMoney(rest, 'always')}, is ${ownWords(kind)}`}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
