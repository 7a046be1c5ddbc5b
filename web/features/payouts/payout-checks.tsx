import { ACCOUNT_FORMAT_OF, ACCOUNTS } from '#contract/account-formats.ts';
import type { PayoutFileDetails } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import { Glyph } from '#web/ui/glyph.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { countedEntries } from './lots.ts';
import { easternTime, TimeLeft } from './same-day-time.tsx';
import { Sheet } from '#web/ui/sheet.tsx';

type Check = PayoutFileDetails['checks'][number];

/** Checks of a file: as they are now, or when they were made of a file that was sent. */
export function PayoutChecks({ file }: { file: PayoutFileDetails }) {
  const write = useMoments();
  const { checks, history } = file;
  if (checks.length === 0) {
    const given = history.findLast(({ status }) => status === 'downloaded');
    return (
      <Sheet title="Checks">
        <p>
          Checked when it was made, {write(file.createdAt, 'shortDateTime')}
          {given && `, and again when it was downloaded, ${write(given.at, 'shortDateTime')}`}.
        </p>
      </Sheet>
    );
  }
  const passed = checks.filter(({ refusal }) => refusal === null).length;
  const isWhole = passed === checks.length;
  return (
    <Sheet
      title="Checks"
      end={
        <span className="status" data-tone={isWhole ? 'positive' : 'critical'}>
          <Glyph name={isWhole ? 'tick' : 'cross'} />
          {passed} of {checks.length}
        </span>
      }
    >
      <ul className="payout-checks">
        {checks.map((check) => (
          <li key={check.check} data-failed={check.refusal !== null || undefined}>
            <Glyph name={check.refusal === null ? 'tick' : 'cross'} />
            <span>
              {check.refusal === null ? (
                <Passed check={check} file={file} />
              ) : (
                <Failed {...check} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Passed({ check: { check, note }, file }: { check: Check; file: PayoutFileDetails }) {
  const { sameDayUntil } = file;
  return (
    <>
      {check === 'cutOff' && sameDayUntil !== null
        ? `The cut-off, ${easternTime(sameDayUntil)}, has not passed`
        : wordsOf(file)[check]}
      {check === 'cutOff' && sameDayUntil !== null && (
        <span className="meta">
          <TimeLeft until={sameDayUntil} />
        </span>
      )}
      {note !== null && (
        <span className="meta">
          {check === 'readBack' ? `Same ${countedEntries(file.batches)}, same totals` : note}
        </span>
      )}
    </>
  );
}

/** Sentence about the numbers that payments are sent by, which depend on the currency of the file. */
function numbersWords({ itemCount, total }: PayoutFileDetails): string {
  const { needs } = ACCOUNTS[ACCOUNT_FORMAT_OF[total.currency]];
  if (total.currency !== 'USD') {
    const each = itemCount === 1 ? 'The account has' : `All ${itemCount} accounts have`;
    return `${each} ${needs}`;
  }
  return itemCount === 1
    ? 'The routing number has a valid check digit'
    : `All ${itemCount} routing numbers have a valid check digit`;
}

function wordsOf(file: PayoutFileDetails): Record<Check['check'], string> {
  const { effectiveOn } = file;
  const days = effectiveOn.map((day) => formatDay(day, 'short')).join(' and ');
  return {
    routing: numbersWords(file),
    holds: 'The entries sum to the ledger',
    single: 'No payment is in another file',
    payable: 'Nobody is frozen, cooling off or unverified',
    days: effectiveOn.length === 1 ? `${days} is a banking day` : `${days} are banking days`,
    cutOff: 'The bank gets it before its first banking day',
    readBack: 'Read back from the written file, byte by byte',
  };
}

const FAILED: Record<Check['check'], string> = {
  routing: 'Numbers of an account are wrong',
  holds: 'The entries do not sum to the ledger',
  single: 'A payment is in another file',
  payable: 'A payment can no longer leave',
  days: 'Banks are closed on one of its days',
  cutOff: 'The cut-off has passed',
  readBack: 'The file cannot be read back',
};

function Failed({ check, refusal }: Check) {
  return (
    <>
      {FAILED[check]}
      <span className="meta">
        {refusal}
        {check === 'payable' &&
          ' Wait until it can, or cancel this file and make another one without it.'}
      </span>
    </>
  );
}
