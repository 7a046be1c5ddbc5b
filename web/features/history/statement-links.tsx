import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayIn } from '#contract/calendar.ts';
import type { WalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import './history.css';

interface StatementLinksProps {
  /** Account whose rows are shown, or all. */
  account: WalletType | 'all';
  /** Calendar days. '' leaves that end open. */
  from: string;
  to: string;
}

/** Links to the statements of the month shown. Renders nothing unless the days lie in one month. */
export function StatementLinks({ account, from, to }: StatementLinksProps) {
  const month = from.slice(0, 7);
  // Statements exist from 1970.
  const isOneMonth = from >= '1970' && month === to.slice(0, 7);
  return isOneMonth ? <StatementsOf account={account} month={month} /> : null;
}

function StatementsOf({ account, month }: { account: WalletType | 'all'; month: string }) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const year = Number(month.slice(0, 4));
  const documents = useQuery(apiQuery('listAccountDocuments', { query: { year } }));
  const statements = (documents.data?.statements ?? []).filter(
    (one) => one.month === month && (account === 'all' || one.account === account),
  );
  if (statements.length === 0) return null;
  const words = monthWords(month, today);
  return (
    <p className="history__statements">
      {statements.map(({ id, accountName, finalOn }) => (
        <TextLink key={id} href={`/employee/documents/${id}`}>
          {statements.length === 1
            ? `Open the ${words} statement${finalOn === null ? '' : ' so far'}`
            : `Open the ${words} statement of ${accountName}${finalOn === null ? '' : ' so far'}`}
        </TextLink>
      ))}
    </p>
  );
}

/** "November", or "November 2025" if it is not in the current year. */
function monthWords(month: string, today: string): string {
  const words = formatDay(`${month}-01`, 'month');
  return month.slice(0, 4) === today.slice(0, 4) ? words.replace(/ \d{4}$/, '') : words;
}
