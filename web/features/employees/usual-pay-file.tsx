import { useState } from 'react';
import type { UsualPayImport } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ActionButton, ConfirmAction, questionTo, useAction } from '#web/kit/action.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { CSV_FILES } from '#web/kit/csv-file.tsx';
import { FileChanges } from './usual-pay-file-rows.tsx';
import type { CsvUpload } from '#web/kit/use-csv-upload.ts';

interface UsualPayFileProps {
  one: UsualPayImport;
  upload: CsvUpload;
}

/** A file of usual pay without errors: what it changes, and what is done with it. */
export function UsualPayFile({ one, upload }: UsualPayFileProps) {
  const [isDiscarding, setDiscarding] = useState(false);
  const moment = useMoments();
  const isOpen = one.status !== 'taken';
  return (
    <div className="columns import">
      <section className="import__file" aria-label="File">
        <div className="import__name">
          <Clipped className="strong">{one.fileName}</Clipped>
          <p className="meta">
            {`Checked for ${one.uploadedBy.name}, ${moment(one.uploadedAt, 'shortDateTime')}`}
          </p>
          {isOpen && (
            <p className="page-head__actions mt-3">
              {one.status === 'checked' && (
                <FileButton label="Replace the file" accept={CSV_FILES} onChoose={upload.send}>
                  Replace
                </FileButton>
              )}
              <Button onPress={() => setDiscarding(true)}>Discard</Button>
            </p>
          )}
        </div>
        <Facts
          isTight
          facts={[
            { label: 'Changed', value: <span className="num">{peopleWords(one)}</span> },
            {
              label: 'As before',
              value: <span className="num">{formatCount(one.counts.same)}</span>,
            },
            { label: 'Now', value: <Money amount={one.before} /> },
            { label: 'From then on', value: <Money amount={one.after} /> },
          ]}
        />
      </section>
      <section className="sheet" aria-label={TITLES[one.status]}>
        <div className="sheet__head sheet__head--tall import__head">
          <div>
            <h2 className="section-title">{TITLES[one.status]}</h2>
            <span className="balance">{formatCount(one.counts.changed)}</span>
          </div>
          {one.taken !== null && (
            <p className="import__counts muted">
              {`${one.taken.by}, ${moment(one.taken.at, 'shortDateTime')}`}
            </p>
          )}
        </div>
        {upload.problem !== undefined && (
          <Notice tone="critical" role="alert">
            {upload.problem}
          </Notice>
        )}
        <div className="import__rows">
          <FileChanges changes={one.changes} />
        </div>
        {isOpen && (
          <div className="spread import__foot">
            <p className="meta">
              <FootWords one={one} />
            </p>
            <div className="page-head__actions">
              <Confirm one={one} />
            </div>
          </div>
        )}
      </section>
      {isDiscarding && (
        <ConfirmAction
          {...questionTo('Discard', 'file')}
          send={() => call('adminDiscardUsualPayImport', { params: { id: one.id } })}
          topics={['imports']}
          failed="Not Discarded"
          onClose={() => setDiscarding(false)}
        >
          {one.fileName} of {one.uploadedBy.name}. Nothing was changed by it.
        </ConfirmAction>
      )}
    </div>
  );
}

const TITLES: Record<UsualPayImport['status'], string> = {
  checked: 'Ready to change',
  waiting: 'Waiting for a second administrator',
  taken: 'Changed',
};

function peopleWords({ counts: { changed } }: UsualPayImport): string {
  return changed === 1 ? '1 person' : `${formatCount(changed)} people`;
}

function FootWords({ one }: { one: UsualPayImport }) {
  const { changes, counts, needsSecond, refusal, sentBy } = one;
  const shown = changes.length < counts.changed ? `The first ${formatCount(changes.length)}. ` : '';
  const isFirst = sentBy === null;
  const firstWords = needsSecond
    ? 'A change is above the company’s setting, so a second administrator confirms the file after you.'
    : 'Every row is right.';
  return (
    <>
      {shown}
      {!isFirst && `${sentBy} confirmed it. `}
      {refusal ?? (isFirst ? firstWords : 'You can confirm it, too.')}
    </>
  );
}

function Confirm({ one }: { one: UsualPayImport }) {
  const { id, hash, refusal } = one;
  const confirm = useAction({
    send: (_input: void, options) =>
      call('adminConfirmUsualPayImport', { params: { id }, body: { hash } }, options),
    topics: ['imports', 'payroll'],
    done: ({ status }) => ({
      title: status === 'taken' ? 'Usual Pay Changed' : 'Waiting for a Second Administrator',
      message: `${peopleWords(one)}.`,
    }),
    failed: 'Not Changed',
  });
  if (refusal !== null) return null;
  return (
    <ActionButton kind="solid" action={confirm} pending="Changing">
      Change {peopleWords(one)}
    </ActionButton>
  );
}
