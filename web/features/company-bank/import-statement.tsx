import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { STATEMENT_MAX_BYTES } from '#contract/company-bank.ts';
import { readAgain } from '#web/api/live.ts';
import { uploadFile } from '#web/api/upload.ts';
import { fileSize } from '#web/kit/file-size.ts';
import { useCheckedUpload } from '#web/kit/use-checked-upload.ts';
import { counted, formatDayRange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { leftOutWords } from './bank-words.ts';
import type { CompanyBank } from './bank-words.ts';
import { StatementColumns, type Reading } from './statement-columns.tsx';

type Check = RouteReply<'adminCheckStatement'>;

/** File types that the file chooser offers first. The server checks the content. */
const STATEMENT_FILES = '.csv,.ofx,.qfx,.qbo,.xml,.txt';
const RULE = 'CSV, OFX or camt.053, up to 10 MB';

/** Place where a statement is chosen or dropped. */
export function StatementDrop({
  problem,
  onChoose,
}: {
  problem?: string | undefined;
  onChoose: (file: File) => void;
}) {
  return (
    <FileDrop
      name="statement"
      label="Statement"
      wanted="file"
      accept={STATEMENT_FILES}
      rule={RULE}
      error={problem}
      onChoose={onChoose}
    />
  );
}

interface ImportStatementProps {
  accounts: CompanyBank['accounts'];
  /** A file that was dropped on the screen. */
  file?: File | undefined;
  onClose: () => void;
  onImported: () => void;
}

/** Checks a statement, has its columns chosen where it is CSV, and imports it. Open while mounted. */
export function ImportStatement({
  accounts,
  file: dropped,
  onClose,
  onImported,
}: ImportStatementProps) {
  const queryClient = useQueryClient();
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '');
  const [reading, setReading] = useState<Reading>({});
  const upload = useCheckedUpload({
    mostBytes: STATEMENT_MAX_BYTES,
    tooLarge: 'statement_too_large',
    check: (of, { id, query }: { id: string; query: Reading }) =>
      uploadFile('adminCheckStatement', { params: { id }, query }, of, () => undefined),
    send: (of, hash) =>
      uploadFile(
        'adminImportStatement',
        { params: { id: accountId }, query: { ...reading, fileName: of.name, hash } },
        of,
        () => undefined,
      ),
    onSent: async ({ lines, known, matched, notBooked }) => {
      await readAgain(queryClient, ['company-bank']);
      toast({
        title: 'Statement Imported',
        message: `${counted(lines, 'line')}, ${matched} matched automatically${known === 0 ? '' : `, ${known} known already`}${notBooked === 0 ? '' : `, ${notBooked} left out because not booked`}.`,
        tone: 'positive',
      });
      onImported();
    },
  });
  const { file, reply, isChecking } = upload;
  const checkAgain = (of: File, id: string, query: Reading) => {
    setReading(query);
    upload.checkAgain(of, { id, query });
  };
  const choose = (chosen: File) => {
    setReading({});
    return upload.choose(chosen, { id: accountId, query: {} });
  };
  const [isTaken, setIsTaken] = useState(false);
  if (dropped !== undefined && !isTaken) {
    setIsTaken(true);
    void choose(dropped);
  }

  const checked = upload.checked?.hash === '' ? undefined : upload.checked;
  return (
    <Dialog
      title="Import statement"
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Cancel</Button>
          <Button
            kind="solid"
            isPending={upload.isSending}
            pendingLabel="Importing"
            why={checked ? undefined : isChecking ? 'It is being checked.' : whyNot(file, reply)}
            onPress={upload.send}
          >
            {reply === undefined ? 'Import' : `Import ${counted(reply.lines, 'Line')}`}
          </Button>
        </>
      }
    >
      {accounts.length > 1 && (
        <Select
          label="Account"
          name="account"
          value={accountId}
          onChange={(id) => {
            setAccountId(id);
            if (file !== undefined) checkAgain(file, id, reading);
          }}
          options={accounts.map(({ id, bankName, label, last4 }) => ({
            value: id,
            label: `${bankName}, ${label} ••${last4}`,
          }))}
        />
      )}
      {upload.problem !== undefined && (
        <Notice tone="critical" role="alert">
          <p className="strong">{upload.problem}</p>
        </Notice>
      )}
      {file === undefined ? (
        <StatementDrop problem={upload.tooLarge} onChoose={(chosen) => void choose(chosen)} />
      ) : (
        <div className="bank-file">
          <div>
            <p className="strong">{file.name}</p>
            <p className="meta num">{aboutFile(file, reply)}</p>
          </div>
          <Button onPress={upload.drop}>Replace</Button>
        </div>
      )}
      {file !== undefined && upload.latest !== undefined && upload.latest.csv !== null && (
        <StatementColumns
          csv={upload.latest.csv}
          problems={reply?.csv?.problems ?? []}
          reading={reading}
          onChange={(query) => checkAgain(file, accountId, query)}
        />
      )}
      {checked && checked.notBooked.length > 0 && (
        <div className="mt-3">
          <Notice tone="caution">
            <p>{leftOutWords(checked.notBooked)}</p>
          </Notice>
        </div>
      )}
      {checked && (
        <Tally
          check={checked}
          isFirst={accounts.find(({ id }) => id === accountId)?.closing === null}
        />
      )}
    </Dialog>
  );
}

function whyNot(file: File | undefined, reply: Check | undefined): string {
  if (file === undefined) return 'Choose a statement first.';
  if (reply === undefined) return 'This file cannot be imported.';
  const [missing] = reply.csv?.missing ?? [];
  if (missing === 'Closing balance') return 'Type the closing balance first.';
  if (missing !== undefined) return `Choose ${missing} first.`;
  const [problem] = reply.csv?.problems ?? [];
  return problem === undefined
    ? 'It is being checked.'
    : `Correct the column ${problem.column} first.`;
}

function aboutFile({ size }: File, reply: Check | undefined): string {
  const words = reply && [
    { camt053: 'camt.053', ofx: 'OFX', csv: 'CSV' }[reply.format],
    counted(reply.lines + reply.known, 'line'),
    ...(reply.period === null ? [] : [formatDayRange(reply.period.from, reply.period.to)]),
  ];
  return [...(words ?? []), fileSize(size)].join(', ');
}

function Tally({
  check: { opening, closing, sum, lines, known },
  isFirst,
}: {
  check: Check;
  isFirst: boolean;
}) {
  const of = known === 0 ? 'none of them known already' : `${known} more are known already`;
  return (
    <dl className="bank-tally">
      <div>
        <dt>{isFirst ? 'Opening' : 'Opening, as the last statement closed'}</dt>
        <dd>{opening && <Money amount={opening} />}</dd>
      </div>
      <div>
        <dt>
          {counted(lines, 'line')}, {of}
        </dt>
        <dd>
          <Money amount={sum} signs="always" />
        </dd>
      </div>
      <div>
        <dt>Closing</dt>
        <dd>{closing && <Money amount={closing} />}</dd>
      </div>
    </dl>
  );
}
