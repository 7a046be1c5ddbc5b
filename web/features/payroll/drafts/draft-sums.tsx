import type { PayrollDraft } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import { reasonWords } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import type { DraftPerson, Sums } from './amounts.ts';
import { ComparedHeads, Difference } from './draft-row.tsx';

interface SumTableProps {
  all: Sums;
  byDepartment: ReadonlyMap<DraftPerson['department'], Sums>;
  currency: PayrollDraft['total']['currency'];
  lastOn: string | null;
}

/** Sums by department, of everyone, whatever is shown or found. */
export function SumTable({ all, byDepartment, currency }: SumTableProps) {
  const row = (label: string, sums: Sums) => (
    <>
      <td>{label}</td>
      <td>{formatCount(sums.people)}</td>
      <td className="r">
        <Money amount={money(sums.lastMinor, currency)} />
      </td>
      <td className="r">
        <Money amount={money(sums.minor, currency)} />
      </td>
      <td className="r">
        <Difference
          minor={sums.minor}
          last={sums.lastMinor === 0n ? null : sums.lastMinor}
          currency={currency}
        />
      </td>
    </>
  );
  return (
    <div className="table-wrap">
      <table className="table table--dense grid--sums">
        <thead>
          <tr>
            <th scope="col">By department</th>
            <th scope="col">People</th>
            <ComparedHeads />
          </tr>
        </thead>
        <tbody>
          {[...byDepartment].map(([department, sums]) => (
            <tr key={department}>{row(DEPARTMENTS[department], sums)}</tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            {row(
              `Total, ${all.people === 1 ? '1 person' : `${formatCount(all.people)} people`}`,
              all,
            )}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

interface WalletSumsProps {
  wallets: PayrollDraft['wallets'];
  total: PayrollDraft['total'];
}

/** Sums of a payroll by type of wallet. */
export function WalletSums({ wallets, total }: WalletSumsProps) {
  return (
    <div className="table-wrap">
      <table className="table table--dense grid--sums">
        <thead>
          <tr>
            <th scope="col">By type of wallet</th>
            <th scope="col">People</th>
            <th scope="col" className="r">
              This time
            </th>
          </tr>
        </thead>
        <tbody>
          {wallets.map((wallet) => (
            <tr key={wallet.id}>
              <td>{WALLET_LABELS[wallet.walletType]}</td>
              <td>{formatCount(wallet.employees)}</td>
              <td className="r">
                <Money amount={wallet.total} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2}>This payroll</td>
            <td className="r">
              <Money amount={total} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** People who are skipped, with the reason. */
export function SkippedTable({
  skipped,
  draft,
}: {
  skipped: readonly DraftPerson[];
  draft: PayrollDraft;
}) {
  if (skipped.length === 0) return null;
  return (
    <div className="table-wrap">
      <table className="table table--dense skipt">
        <thead>
          <tr>
            <th scope="col">Skipped</th>
            <th scope="col">Employee ID</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {skipped.slice(0, MOST_SKIPPED).map((person) => (
            <tr key={person.id}>
              <td>{person.name}</td>
              <td className="id">{person.employeeId}</td>
              <td>{person.problem !== null && reasonWords(person.problem, draft.walletType)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {skipped.length > MOST_SKIPPED && (
        <p className="pv__note meta num">{`The first ${MOST_SKIPPED} of ${formatCount(skipped.length)} are listed.`}</p>
      )}
    </div>
  );
}
const MOST_SKIPPED = 100;
