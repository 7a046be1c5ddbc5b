import type { ReactNode } from 'react';
import type { AccountDocuments } from '#contract/api.ts';
import type { WalletType } from '#contract/wallets.ts';
import { FilterSelect } from '#web/ui/select.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Payslips } from './payslips.tsx';
import { Statements } from './statements.tsx';

export const DOCUMENT_TABS = ['payslips', 'statements', 'receipts'] as const;
export type DocumentTab = (typeof DOCUMENT_TABS)[number];

interface DocumentTabsProps {
  documents: AccountDocuments | undefined;
  selected: DocumentTab;
  onSelect: (tab: DocumentTab) => void;
  /** Account from the address whose statements are listed. It may not be one of theirs. */
  account: string | undefined;
  onAccount: (account: WalletType) => void;
  /** List of receipts. Left out for readers who do not see receipts. */
  receipts?: ReactNode;
}

/** Documents of a year, by kind. */
export function DocumentTabs(props: DocumentTabsProps) {
  const { documents, selected, onSelect, account, onAccount, receipts } = props;
  return (
    <Tabs<DocumentTab>
      label="Documents"
      selected={receipts === undefined && selected === 'receipts' ? 'payslips' : selected}
      onSelect={onSelect}
      tabs={[
        { id: 'payslips', label: 'Payslips', content: <Payslips documents={documents} /> },
        {
          id: 'statements',
          label: 'Statements',
          content: <Statements documents={documents} account={account} onAccount={onAccount} />,
        },
        ...(receipts === undefined
          ? []
          : [{ id: 'receipts' as const, label: 'Receipts', content: receipts }]),
      ]}
    />
  );
}

interface DocumentYearProps {
  documents: AccountDocuments | undefined;
  /** Year from the address. It is offered even if it has no documents. Null if there is none. */
  asked: number | null;
  onYear: (year: number) => void;
}

/** Selects the year whose documents are listed. */
export function DocumentYear({ documents, asked, onYear }: DocumentYearProps) {
  const shown = documents?.year ?? asked;
  const years = [...new Set([...(shown === null ? [] : [shown]), ...(documents?.years ?? [])])]
    .toSorted((a, b) => b - a)
    .map(String);
  return (
    <FilterSelect
      label="Year"
      value={shown === null ? '' : String(shown)}
      onChange={(chosen) => onYear(Number(chosen))}
      options={years.map((value) => ({ value, label: value }))}
    />
  );
}

/** Year from the address. Null for any other text. */
export function readYear(text: string | undefined): number | null {
  return text !== undefined && /^(?:19[7-9]|[2-9]\d\d)\d$/.test(text) ? Number(text) : null;
}
