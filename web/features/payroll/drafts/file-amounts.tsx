import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PayrollDraft } from '#contract/api.ts';
import {
  PAYROLL_FILE_FIELDS,
  PAYROLL_FILE_LABELS,
  rivalPayrollColumns,
} from '#contract/payroll-file.ts';
import type { PayrollFileField } from '#contract/payroll-file.ts';
import { AMOUNT_PROBLEM, readAmount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { useAction } from '#web/kit/action.tsx';
import { CSV_FILES, CsvDrop, Uploading } from '#web/kit/csv-file.tsx';
import { fileSize } from '#web/kit/file-size.ts';
import { MatchColumns } from '#web/kit/match-columns.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { sumOfChoice } from './absent-people.tsx';
import { FileSheet } from './file-sheet.tsx';
import { type CheckedFile, type FileAmountsWork, useFileAmounts } from './use-file-amounts.ts';

/** Fills in the amounts of a draft from a file: its columns and its control total at the left, the check at the right. */
export function FileAmounts({ draft }: { draft: PayrollDraft }) {
  const work = useFileAmounts(draft);
  // Typed once, also where the file is corrected and chosen again.
  const [total, setTotal] = useState<ControlTotal>({ typed: '', isNone: false });
  const [cells, setCells] = useState('');
  const { checked, upload } = work;
  if (upload.share !== undefined) return <Uploading upload={upload} />;
  if (checked === undefined) {
    return (
      <>
        <CsvDrop upload={upload} rule={ruleFor(draft)} />
        <PasteCells cells={cells} setCells={setCells} onPaste={upload.send} />
      </>
    );
  }
  return (
    <>
      {upload.problem !== undefined && (
        <Notice tone="critical" role="alert">
          {upload.problem}
        </Notice>
      )}
      <Checked {...{ draft, work, checked, total, setTotal }} />
    </>
  );
}

function ruleFor({ walletType, wallets }: PayrollDraft): string {
  if (wallets.length > 1) {
    const labels = wallets.map((wallet) => WALLET_LABELS[wallet.walletType]).join(', ');
    return (
      'A CSV file with Employee ID or Email, and a column of amounts for each type of wallet that it fills in: ' +
      `${labels}. A person with an empty cell gets nothing into that wallet. A type without a column stays as it is. ` +
      'Up to 100,000 rows.'
    );
  }
  return (
    'A CSV file with Employee ID or Email, and the net pay of each person in one column. A payroll pays one type of ' +
    `wallet, this one ${WALLET_LABELS[walletType]}: of several columns of amounts, one is read. ` +
    'A person with an empty cell is not in this payroll. Gross pay and deductions go on the payslip. Up to 100,000 rows.'
  );
}

interface PasteCellsProps {
  /** Pasted text, which stays where it is refused. */
  cells: string;
  setCells: (cells: string) => void;
  onPaste: (file: File) => void;
}

/** Cells that were copied in a spreadsheet, with the line that names their columns. */
function PasteCells({ cells, setCells, onPaste }: PasteCellsProps) {
  return (
    <div className="import__start">
      <TextArea
        label="Or paste cells"
        name="cells"
        hint="Copy them in a spreadsheet, with the line that names the columns."
        value={cells}
        onChange={setCells}
      />
      <p className="mt-3">
        <Button
          why={cells.trim() === '' ? 'Paste the cells first' : undefined}
          onPress={() => onPaste(new File([cells], 'Pasted cells', { type: 'text/csv' }))}
        >
          Check Cells
        </Button>
      </p>
    </div>
  );
}

/** The control total as it is typed; `isNone` where the report states none. */
interface ControlTotal {
  typed: string;
  isNone: boolean;
}

interface CheckedProps {
  draft: PayrollDraft;
  work: FileAmountsWork;
  checked: CheckedFile;
  total: ControlTotal;
  setTotal: (total: ControlTotal) => void;
}

function Checked({ draft, work, checked, total, setTotal }: CheckedProps) {
  const [isMatching, setMatching] = useState(false);
  const fields = fieldsOf(draft, checked.check);
  const navigate = useNavigate();
  const { check, file } = checked;
  const { currency } = check.total;
  const minor = readAmount(total.typed, currency);
  const later = sumOfChoice(check, work.absent, 'sheet').people;
  const fillIn = useAction({
    send: (controlTotal: string) => work.fillIn(checked, controlTotal),
    topics: ['payroll'],
    done: ({ wallets: filled }) => ({
      title: 'Amounts Filled In',
      message: `${filled.map(({ walletType, employees }) => (filled.length === 1 ? counted(employees, 'employee') : `${WALLET_LABELS[walletType]}: ${counted(employees, 'employee')}`)).join(', ')}.${later === 0 ? '' : ` “Only changed” shows ${formatCount(later)} more to enter.`}`,
    }),
    failed: 'Nothing was filled in',
    onDone: ({ id }) => navigate({ to: '/admin/payroll', search: { draft: id } }),
  });
  return (
    <div className="columns import">
      <section className="import__file" aria-label="File">
        <div className="import__name">
          <Clipped className="strong">{file.name}</Clipped>
          <p className="meta">{`${fileSize(file.size)}, ${counted(check.counts.rows, 'row')}`}</p>
          <p className="mt-3">
            <FileButton label="Replace the file" accept={CSV_FILES} onChoose={work.upload.send}>
              Replace
            </FileButton>
          </p>
        </div>
        <MoneyField
          label="Control total"
          name="controlTotal"
          size="standard"
          currency={currency}
          isRequired={!total.isNone}
          hint="Type it from your payroll provider’s report. Purser adds up the file and compares to the cent."
          value={total.typed}
          error={total.typed.trim() !== '' && minor === null ? AMOUNT_PROBLEM : undefined}
          onChange={(typed) => setTotal({ ...total, typed })}
        />
        <Checkbox
          name="noControlTotal"
          label="The report states no total"
          isChecked={total.isNone}
          onChange={(isNone) => setTotal({ ...total, isNone })}
        />
        <h2 className="section-title">Columns</h2>
        <Facts
          isTight
          facts={[
            ...fields.map(({ id: field, label }) => ({
              label,
              value: <ColumnName index={check.columns[field]} checked={checked} />,
            })),
            ...(check.columns.gross === null
              ? []
              : [{ label: 'Deductions', value: <Deductions checked={checked} /> }]),
          ]}
        />
        <Button onPress={() => setMatching(true)}>Match Columns</Button>
        <p className="meta">They are remembered for the next file with these headings.</p>
        {isMatching && (
          <MatchColumns
            fields={fields}
            header={check.header}
            mapping={check.columns}
            several={{
              label: 'Taxes and deductions, on the payslip',
              with: 'gross',
              chosen: check.columns.deductions,
            }}
            send={(mapping, deductions) =>
              work.match(checked, { ...check.columns, ...mapping, deductions })
            }
            topics={[]}
            onClose={() => setMatching(false)}
          />
        )}
      </section>
      <FileSheet
        {...{ draft, work, checked }}
        controlTotal={total.isNone ? 'none' : minor}
        onMatch={() => setMatching(true)}
        fillIn={fillIn}
      />
    </div>
  );
}

/** Fields of a file for a draft, with one for each further type of wallet that its payroll pays. */
type Check = CheckedFile['check'];

function fieldsOf({ walletType, wallets }: PayrollDraft, { header, columns, missing }: Check) {
  const further = wallets.map((wallet) => wallet.walletType).filter((type) => type !== walletType);
  const shown = PAYROLL_FILE_FIELDS.filter(
    (id) => !isWalletType(id) || further.some((type) => type === id),
  );
  // Columns that somebody chose, now or before, have none.
  const rivals =
    missing.length === 0 ? {} : rivalPayrollColumns(header, columns, walletType, further);
  return shown.map((id) => ({
    id,
    label:
      id === 'amount' && further.length > 0 ? WALLET_LABELS[walletType] : PAYROLL_FILE_LABELS[id],
    isRequired: id === 'amount',
    hasRivals: rivals[id] !== undefined,
  }));
}

function isWalletType(field: PayrollFileField): field is WalletType {
  return field in WALLET_LABELS;
}

/** Columns of taxes and deductions, one below the other. */
function Deductions({ checked }: { checked: CheckedFile }) {
  const { deductions } = checked.check.columns;
  if (deductions.length === 0) return <span className="muted">Not in the file</span>;
  return deductions.map((index) => (
    <div key={index}>
      <ColumnName index={index} checked={checked} />
    </div>
  ));
}

function ColumnName({
  index,
  checked: {
    check: { header, samples },
  },
}: {
  /** Number of the column; null if the file has none. */
  index: number | null;
  checked: CheckedFile;
}) {
  if (index === null) return <span className="muted">Not in the file</span>;
  const first = samples.map((cells) => cells[index] ?? '').find((cell) => cell !== '');
  return (
    <>
      <Clipped>{header[index] || `Column ${index + 1}`}</Clipped>
      {first !== undefined && <Clipped className="meta">{first}</Clipped>}
    </>
  );
}
