import { useState } from 'react';
import type { Verification } from '#contract/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { VerificationDocuments } from './verification-documents.tsx';
import {
  VERIFICATION_LABELS,
  uploadedCount,
  lastChange,
  verificationMessage,
} from './verification-words.ts';

interface ProfileIdentityProps {
  verification: Verification;
}

/** The KYC Info tab of the profile: where verification stands, its documents in a dialog. */
export function ProfileIdentity({ verification }: ProfileIdentityProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { status } = verification;
  const last = lastChange(verification);
  return (
    <>
      <p className="muted">{verificationMessage(verification)}</p>
      <Facts
        facts={[
          {
            label: 'Wallet verification',
            value: <Status status={status} label={VERIFICATION_LABELS[status]} />,
          },
          { label: 'Documents uploaded', value: uploadedCount(verification) },
          {
            label: 'Last change',
            value:
              last === undefined ? (
                'None yet'
              ) : (
                <>
                  {last.what} <Time at={last.at} as="date" />
                </>
              ),
          },
          {
            label: 'Identity application',
            value: <TextLink href="/employee/kyc-status">See KYC Status</TextLink>,
          },
        ]}
      />
      <Button onPress={() => setIsOpen(true)}>KYC Documents</Button>
      <Dialog title="KYC Documents" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <VerificationDocuments verification={verification} />
      </Dialog>
    </>
  );
}
