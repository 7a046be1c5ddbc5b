import type { SetupReply } from '#contract/api.ts';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SETUP_WORDS } from './setup-words.ts';

/** Summary after the set-up has ended: who ended it, and which steps were skipped. */
export function SetupEnd({ setup }: { setup: SetupReply }) {
  const { outcome, endedBy, steps } = setup;
  const left = steps.filter((one) => one.outcome !== 'done');
  return (
    <>
      <Notice tone="positive" role="status">
        {`The set-up was ${outcome ?? 'finished'} by ${endedBy ?? 'Purser'}.`}
      </Notice>
      {left.length > 0 && (
        <>
          <p className="mt-6">You can set what was skipped at any time:</p>
          <ul className="setup__left">
            {left.map(({ step }) => (
              <li key={step}>
                <TextLink href={SETUP_WORDS[step].later}>{SETUP_WORDS[step].label}</TextLink>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-6">
        <LinkButton href="/admin/dashboard" kind="solid">
          Go to the Dashboard
        </LinkButton>
      </p>
    </>
  );
}
