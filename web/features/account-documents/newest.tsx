import type { AccountDocuments } from '#contract/api.ts';
import { formatDay, inDays } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import { useDocumentsPlace } from './place.ts';
import { monthWords } from './statements.tsx';

/** Newest payslip and statement of the year shown, and the day of the next payslip. */
export function NewestDocuments({ documents }: { documents: AccountDocuments | undefined }) {
  const place = useDocumentsPlace();
  if (documents === undefined) {
    const bar = <SkeletonBar width="medium" />;
    return (
      <Stats>
        <Stat label="Latest payslip" value={bar} note={NOTE_TO_COME} />
        <Stat label="Latest statement" value={bar} note={NOTE_TO_COME} />
        <Stat label="Next payslip" value={bar} note={NOTE_TO_COME} />
      </Stats>
    );
  }
  const { payslips, statements, nextPayday } = documents;
  const payslip = payslips.items[0];
  const statement = statements.find(({ finalOn }) => finalOn === null);
  return (
    <Stats>
      <Stat
        label="Latest payslip"
        value={payslip === undefined ? 'None' : formatDay(payslip.paidOn, 'weekday')}
        note={
          payslip === undefined ? (
            `In ${documents.year}`
          ) : (
            <TextLink href={place.screen(payslip.id)}>{`Open, ${payslip.reference}`}</TextLink>
          )
        }
      />
      <Stat
        label="Latest statement"
        value={statement === undefined ? 'None' : monthWords(statement)}
        note={
          statement === undefined ? (
            `In ${documents.year}`
          ) : (
            <TextLink href={place.screen(statement.id)}>
              {`Open, ${statement.accountName}`}
            </TextLink>
          )
        }
      />
      <Stat
        label="Next payslip"
        value={nextPayday === null ? 'Not scheduled' : formatDay(nextPayday.date, 'weekday')}
        note={nextPayday === null ? undefined : inDays(nextPayday.inDays)}
      />
    </Stats>
  );
}
