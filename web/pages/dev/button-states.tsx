import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonKind } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';

const kinds: { name: string; kind: ButtonKind; isText?: true }[] = [
  { name: 'Money move', kind: 'money' },
  { name: 'Money, second', kind: 'money-outline' },
  { name: 'Solid', kind: 'solid' },
  { name: 'Outline', kind: 'outline' },
  { name: 'Danger', kind: 'danger' },
  { name: 'Quiet', kind: 'quiet' },
  { name: 'Text', kind: 'money', isText: true },
  { name: 'Text, danger', kind: 'danger', isText: true },
];

export function ButtonStates() {
  return (
    <>
      <div className="gallery__kinds">
        <span />
        <span className="meta">Default</span>
        <span className="meta">Disabled</span>
        <span className="meta">Loading</span>
        {kinds.map(({ name, kind, isText }) => {
          const shape = isText === true ? 'text' : 'standard';
          return [
            <span className="muted" key={name}>
              {name}
            </span>,
            <Button key={`${name} default`} kind={kind} shape={shape}>
              Withdraw
            </Button>,
            <Button key={`${name} disabled`} kind={kind} shape={shape} isDisabled>
              Withdraw
            </Button>,
            <Button
              key={`${name} loading`}
              kind={kind}
              shape={shape}
              isPending
              pendingLabel="Sending"
            >
              Withdraw
            </Button>,
          ];
        })}
      </div>
      <div className="gallery__row">
        <Button kind="money" why="Insufficient funds. Available: $4,812.36">
          Withdraw
        </Button>
      </div>
      <div className="gallery__row">
        <TwoSeconds />
        <LinkButton href="#statement">
          <Icon of={Download} size={16} />
          Export CSV
        </LinkButton>
        <CopyButton
          value="021000021"
          label="Copy routing number"
          onCopied={() => toast({ title: 'Copied!' })}
          onFailed={() => toast({ title: 'The browser did not allow copying', tone: 'critical' })}
        />
        <Tooltip content="Copies the whole row">
          <Button kind="quiet" shape="icon" aria-label="Copy row">
            <Icon of={Copy} />
          </Button>
        </Tooltip>
      </div>
    </>
  );
}

/** Pressing it shows that a second press does nothing and that the width stays. */
function TwoSeconds() {
  const [isPending, setIsPending] = useState(false);
  const start = () => {
    setIsPending(true);
    setTimeout(setIsPending, 2000, false);
  };
  return (
    <Button kind="solid" isPending={isPending} pendingLabel="Sending" onPress={start}>
      Takes two seconds
    </Button>
  );
}
