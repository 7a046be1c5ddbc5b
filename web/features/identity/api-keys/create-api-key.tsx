import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import {
  API_SCOPE_IDS,
  API_SCOPES,
  apiKeyNameRule,
  NO_LIMIT_PROBLEM,
  NO_SCOPES_PROBLEM,
  sendsMoney,
  type ApiScope,
} from '#contract/api-keys.ts';
import { money, readAmount } from '#contract/money.ts';
import { problemOf } from '#contract/rules.ts';
import { call } from '#web/api/client.ts';
import { CheckChoices } from '#web/kit/check-choices.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { ShownOnce } from '#web/kit/shown-once.tsx';
import { useCompany } from '#web/lib/company.ts';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useMoments } from '#web/ui/time.tsx';

type CreatedKey = RouteReply<'adminCreateApiKey'>;

/** Choices for the life of a key, in days. */
const LIVES = [30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

const SCOPES = API_SCOPE_IDS.map((scope) => ({ value: scope, label: API_SCOPES[scope] }));

/** Makes an API key, then shows it, this once. Shown while it is mounted. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedKey>();
  if (created !== undefined) return <KeyCreated created={created} onClose={onClose} />;
  return <KeyForm onCreated={setCreated} onClose={onClose} />;
}

interface KeyFormProps {
  onCreated: (created: CreatedKey) => void;
  onClose: () => void;
}

function KeyForm({ onCreated, onClose }: KeyFormProps) {
  const { currency } = useCompany();
  return (
    <TaskDialog
      title="Create API key"
      initial={{ name: '', scopes: [] as ApiScope[], dailyLimit: '', days: '90' }}
      check={({ name, scopes, dailyLimit }) => ({
        name: problemOf(apiKeyNameRule, name),
        scopes: scopes.length === 0 ? NO_SCOPES_PROBLEM : undefined,
        dailyLimit:
          sendsMoney(scopes) && readAmount(dailyLimit, currency) === null
            ? NO_LIMIT_PROBLEM
            : undefined,
      })}
      send={({ name, scopes, dailyLimit, days }) => {
        const limit = sendsMoney(scopes) ? readAmount(dailyLimit, currency) : null;
        return call('adminCreateApiKey', {
          body: {
            name,
            scopes,
            days: Number(days),
            ...(limit !== null && { dailyLimit: money(limit, currency) }),
          },
        });
      }}
      topics={['people']}
      onDone={onCreated}
      summary="Please check the API key"
      submit={{ label: 'Create API Key', pending: 'Creating' }}
      onClose={onClose}
    >
      {({ name, scopes, dailyLimit, days }) => (
        <>
          <TextField
            label="What it is for"
            isRequired
            autoComplete="off"
            hint="The name appears in the audit trail, for example “Time tracking”."
            {...name}
          />
          <CheckChoices label="It may" choices={SCOPES} {...scopes} />

          {sendsMoney(scopes.value) && (
            <MoneyField
              label="Daily limit"
              isRequired
              currency={currency}
              size="standard"
              hint="The most that it sends in a day. It pays nobody whom it added in the last days."
              {...dailyLimit}
            />
          )}
          <Select label="Works for" isRequired options={LIVES} {...days} />
          <Notice tone="caution">
            Anyone with the key can do this without signing in. Its actions count as yours. The key
            stops working if you are no longer an administrator.
          </Notice>
        </>
      )}
    </TaskDialog>
  );
}

interface KeyCreatedProps {
  created: CreatedKey;
  onClose: () => void;
}

function KeyCreated({ created: { key, name, expiresAt }, onClose }: KeyCreatedProps) {
  const write = useMoments();
  return (
    <DoneDialog title="API key created" onClose={onClose}>
      <ShownOnce
        title={`Key for ${name}`}
        value={key}
        copyLabel="Copy key"
        note={`Shown only now. Works until ${write(expiresAt, 'long')}.`}
      />
      <p>
        It is sent in the header <span className="strong num">{'Authorization: Bearer <key>'}</span>
        , never in an address.
      </p>
    </DoneDialog>
  );
}
