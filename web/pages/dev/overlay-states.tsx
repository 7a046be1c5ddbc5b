import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { specimen } from './specimen.ts';

type Shown = 'details' | 'confirm' | 'reject' | 'drawer';

export function OverlayStates() {
  const [shown, setShown] = useState<Shown>();
  const [reason, setReason] = useState('');
  const close = () => setShown(undefined);
  return (
    <div className="gallery__stack">
      <div className="gallery__row">
        <Button onPress={() => setShown('details')}>View details</Button>
        <Button kind="danger" onPress={() => setShown('confirm')}>
          Cancel Request
        </Button>
        <Button kind="danger" onPress={() => setShown('reject')}>
          Reject
        </Button>
        <IconButton icon={MenuIcon} label="Open menu" onPress={() => setShown('drawer')} />
        <Menu
          label="Actions"
          trigger={<Button>More actions</Button>}
          actions={[
            { id: 'edit', label: 'Edit', onPress: () => toast({ title: 'Edit' }) },
            { id: 'statement', label: 'Statement', href: '#statement' },
            { id: 'primary', label: 'Make primary', isDisabled: true },
            {
              id: 'delete',
              label: 'Delete',
              isDangerous: true,
              onPress: () => toast({ title: 'Delete' }),
            },
          ]}
        />
      </div>
      <Disclosure title="KYC Verification Status" level={3} isInitiallyOpen>
        <Facts
          facts={[
            { label: 'Status', value: <Status status="verified" /> },
            {
              label: 'Legal name',
              value: 'Maya L. Castellanos',
              action: <Button shape="text">Change</Button>,
            },
          ]}
        />
      </Disclosure>
      <Disclosure title="Bank Accounts (2)" level={3}>
        <p>Cascade Federal ••2208</p>
      </Disclosure>

      <Dialog
        title="Withdrawal details"
        isOpen={shown === 'details'}
        onClose={close}
        actions={<Button onPress={close}>Done</Button>}
      >
        <Facts
          isTight
          facts={[
            { label: 'Amount', value: <Money amount={specimen(32000n)} /> },
            { label: 'Status', value: <Status status="pending" /> },
          ]}
        />
      </Dialog>
      <ConfirmDialog
        title="Cancel this withdrawal?"
        isOpen={shown === 'confirm'}
        onClose={close}
        onConfirm={close}
        keepLabel="Keep Request"
        confirmLabel="Cancel Request"
        pendingLabel="Cancelling"
      >
        <p>
          <Money amount={specimen(25000n)} /> returns to Salary Wallet now. Available becomes{' '}
          <Money amount={specimen(506236n)} />.
        </p>
      </ConfirmDialog>
      <Dialog
        title="Reject withdrawal"
        size="reject"
        isOpen={shown === 'reject'}
        onClose={close}
        onSubmit={close}
        actions={
          <>
            <Button onPress={close}>Keep</Button>
            <Button kind="danger" type="submit">
              Reject
            </Button>
          </>
        }
      >
        <TextArea
          label="Reason"
          name="reject-reason"
          isRequired
          value={reason}
          onChange={setReason}
        />
      </Dialog>
      <Drawer
        label="Menu"
        isOpen={shown === 'drawer'}
        onClose={close}
        head={<Wordmark />}
        foot={<Button shape="block">Log out</Button>}
      >
        <nav className="sidebar nav" aria-label="Main">
          <a href="#dashboard" aria-current="page">
            Dashboard
          </a>
          <a href="#history">History</a>
        </nav>
      </Drawer>
    </div>
  );
}
