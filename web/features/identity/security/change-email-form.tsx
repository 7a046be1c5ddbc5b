import { useQuery } from '@tanstack/react-query';
import { emailRule } from '#contract/email.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { checkRules, useFormState } from '#web/kit/form-state.ts';
import { Form } from '#web/kit/form.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Time } from '#web/ui/time.tsx';
import './security.css';

/** The address that the user signs in with, and the one that it is about to become. */
export function ChangeEmail() {
  const security = useQuery(apiQuery('getMySecurity', {}));
  return (
    <LoadedQuery query={security} what="your email address" lines={4}>
      {({ email, pendingEmail }) => (
        <div className="security__email">
          <Facts facts={[{ label: 'Email', value: email }]} />
          {pendingEmail !== null && (
            <>
              <Notice tone="caution">
                Open the link that we sent to {pendingEmail.email} by{' '}
                <Time at={pendingEmail.until} as="dateTime" />. Until you do, you sign in with{' '}
                {email}.
              </Notice>
              <WithdrawChange />
            </>
          )}
          <ChangeEmailForm />
        </div>
      )}
    </LoadedQuery>
  );
}

/** Takes the request back. The screen is read again, also where its link has been opened. */
function WithdrawChange() {
  const withdraw = useAction({
    send: () => call('withdrawEmailChange'),
    topics: ['sessions'],
    done: { title: 'Your email address stays as it is' },
    failed: 'Change not withdrawn',
  });
  return (
    <div>
      <ActionButton shape="small" action={withdraw} pending="Withdrawing">
        Withdraw This Change
      </ActionButton>
    </div>
  );
}

const EMPTY = { email: '' };

function ChangeEmailForm() {
  const state = useFormState({
    initial: EMPTY,
    check: (values) => checkRules(values, { email: emailRule }),
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: (body) => call('requestEmailChange', { body }),
    topics: ['sessions'],
    onDone: () => state.form.reset(EMPTY),
  });
  return (
    <Form state={state} task={task} isKept>
      {({ email }) => (
        <>
          <TextField label="New Email" type="email" isRequired autoComplete="email" {...email} />
          <div className="security__submit">
            <Button type="submit" isPending={task.isPending} pendingLabel="Sending the link">
              Change Email
            </Button>
            <span className="meta">We send a link to the new address.</span>
          </div>
        </>
      )}
    </Form>
  );
}
