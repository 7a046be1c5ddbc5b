import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { browserOf } from '#contract/browser-of.ts';
import { passkeyRules } from '#contract/identity.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { makePasskey, whyNoPasskeys } from '#web/lib/passkeys.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/section.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Time } from '#web/ui/time.tsx';
import './signed-in-places.css';

type Passkey = RouteReply<'getMySecurity'>['passkeys'][number];

/** The passkeys that the user can sign in with. */
export function Passkeys() {
  const security = useQuery(apiQuery('getMySecurity', {}));
  const [isAdding, setIsAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  const passkeys = security.data?.passkeys;
  const why = whyNoPasskeys();
  return (
    <Section
      title="Passkeys"
      end={
        why === undefined && (
          <Button shape="small" onPress={() => setIsAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <LoadedQuery query={security} what="your passkeys" lines={2} />
      {passkeys?.length === 0 && (
        <p className="muted">
          Sign in with your fingerprint, your face or your device’s PIN. A passkey replaces the
          password and the code, and works only on this site.
        </p>
      )}
      {why !== undefined && <p className="muted">{why}</p>}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className="act-rows">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <p className="strong">{passkey.name}</p>
                <p className="muted">
                  Added on <Time at={passkey.createdAt} as="date" />,{' '}
                  {passkey.lastUsedAt === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <Time at={passkey.lastUsedAt} as="dateTime" />
                    </>
                  )}
                </p>
              </div>
              <div className="places__acts">
                <Button
                  kind="quiet"
                  shape="text"
                  aria-label={`Rename ${passkey.name}`}
                  onPress={() => setRenamed(passkey)}
                >
                  Rename
                </Button>
                <Button
                  kind="quiet"
                  shape="text"
                  aria-label={`Remove ${passkey.name}`}
                  onPress={() => setRemoved(passkey)}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} />}
      {renamed !== undefined && (
        <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(undefined)} />
      )}
      {removed !== undefined && (
        <RemovePasskeyDialog passkey={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  );
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <TaskDialog
      title="Add a passkey"
      initial={{ name: browserOf(navigator.userAgent) }}
      check={(values) => checkRules(values, passkeyRules)}
      send={async ({ name }) => {
        const response = await makePasskey(await call('beginPasskey'));
        return call('addPasskey', { body: { name, response } });
      }}
      topics={['sessions']}
      done={{ title: 'Passkey added' }}
      submit={{ label: 'Add Passkey', pending: 'Waiting for your device' }}
      onClose={onClose}
    >
      {({ name }) => (
        <>
          <p>Your browser asks where to save the passkey, and for your fingerprint, face or PIN.</p>
          <TextField label="Name" isRequired {...name} />
        </>
      )}
    </TaskDialog>
  );
}

function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <TaskDialog
      title="Rename passkey"
      initial={{ name: passkey.name }}
      check={(values) => checkRules(values, passkeyRules)}
      send={(body) => call('renamePasskey', { params: { id: passkey.id }, body })}
      topics={['sessions']}
      done={{ title: 'Passkey renamed' }}
      submit={{ label: 'Rename Passkey', pending: 'Renaming' }}
      onClose={onClose}
    >
      {({ name }) => <TextField label="Name" isRequired {...name} />}
    </TaskDialog>
  );
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <ConfirmAction
      {...questionTo('Remove', 'passkey', passkey.name)}
      send={() => call('removePasskey', { params: { id: passkey.id } })}
      topics={['sessions']}
      done={{ title: 'Passkey removed' }}
      failed="Passkey not removed"
      onClose={onClose}
    >
      It can no longer be used to sign in. Delete it on your device as well.
    </ConfirmAction>
  );
}
