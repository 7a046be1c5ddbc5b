import { useQuery } from '@tanstack/react-query';
import type { NextPay } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';

/** Amounts that a person is expected to be paid on their next payday, by wallet. */
export function NextPayroll({ personId }: { personId: string }) {
  const query = useQuery(apiQuery('adminGetNextPay', { params: { id: personId } }));
  const on = query.data?.on ?? null;
  return (
    <Section
      title="Next payroll"
      end={on !== null && <span className="muted num">{formatDay(on, 'weekday')}</span>}
    >
      <LoadedQuery query={query} what="the next payroll" lines={3}>
        {(next) => <Expected next={next} />}
      </LoadedQuery>
    </Section>
  );
}

function Expected({ next }: { next: NextPay }) {
  const { lines, total } = next;
  return (
    <>
      <ul className="person__list">
        {lines.length === 0 && <li className="faint">Nothing is expected</li>}
        {lines.map((line) => (
          <li key={`${line.walletType} ${line.draft?.id ?? line.batch?.id ?? 'usual'}`}>
            <span>
              {WALLET_LABELS[line.walletType]}
              <span className="meta person__line">
                <Source line={line} />
              </span>
            </span>
            <span className="person__end">
              <Money amount={line.amount} />
              <span className="person__line">
                <LineStatus line={line} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {lines.length > 0 && (
        <dl className="tally">
          <div>
            <dt>Expected</dt>
            <dd>
              <Money amount={total} />
            </dd>
          </div>
        </dl>
      )}
      {next.usual.minor !== '0' && <p className="meta mt-2">{comparedWords(next)}</p>}
    </>
  );
}

type Line = NextPay['lines'][number];

function Source({ line: { draft, batch } }: { line: Line }) {
  if (draft !== null) {
    return <TextLink href={`/admin/payroll?draft=${draft.id}`}>{draft.name}</TextLink>;
  }
  if (batch === null) return 'Usual pay';
  return (
    <TextLink href={`/admin/payroll?tab=history&batch=${batch.id}`}>Batch {batch.number}</TextLink>
  );
}

function LineStatus({ line: { draft, batch } }: { line: Line }) {
  if (draft !== null) return <Status status="draft" />;
  return batch !== null && <Status status={batch.status} />;
}

/** "As usual.", or the difference to the usual pay of the day. */
function comparedWords({ lines, total, usual }: NextPay): string {
  const difference = BigInt(total.minor) - BigInt(usual.minor);
  const size = formatMoney(money(difference < 0n ? -difference : difference, total.currency));
  const compared =
    difference === 0n ? 'As usual.' : `${size} ${difference < 0n ? 'less' : 'more'} than usual.`;
  const hasDraft = lines.some(({ draft }) => draft !== null);
  return `${compared}${hasDraft ? ' A draft can still be changed for one payday.' : ''}`;
}
