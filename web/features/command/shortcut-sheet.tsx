import { useScreens } from '#web/lib/screens.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { Keys } from './keys.tsx';
import { ACTIONS, GO_TO } from './shortcuts.ts';
import { useSingleKeys } from './single-keys.ts';

interface Line {
  label: string;
  keys: readonly string[];
  isSequence?: boolean;
}

const EVERYWHERE: readonly Line[] = [
  { label: 'Search and commands', keys: ['Ctrl', 'K'] },
  { label: 'This sheet', keys: ['?'] },
  { label: 'Find in the list', keys: ['/'] },
  ...ACTIONS.map(({ key, label }) => ({ label, keys: [key.toUpperCase()] })),
  { label: 'Undo what was just done', keys: ['Ctrl', 'Z'] },
  { label: 'Close, go back', keys: ['Esc'] },
];

const IN_A_LIST: readonly Line[] = [
  { label: 'Next, previous row', keys: ['J', 'K'] },
  { label: 'Open the row', keys: ['Enter'] },
  { label: 'Select the row', keys: ['X'] },
  { label: 'Select up to here', keys: ['Shift', 'X'] },
  { label: 'Approve, verify', keys: ['A'] },
  { label: 'Reject with a reason', keys: ['R'] },
  { label: 'Match as suggested', keys: ['M'] },
  { label: 'Export', keys: ['E'] },
];

/** List of keyboard shortcuts, and the switch for single keys. Open while mounted. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const screens = useScreens().admin;
  const [areOn, setOn] = useSingleKeys();
  const goTo = Object.entries(GO_TO).flatMap(([key, path]) => {
    const label = screens.find((screen) => screen.path === path)?.navigation?.label;
    return label === undefined ? [] : [{ label, keys: ['G', key.toUpperCase()], isSequence: true }];
  });
  return (
    <DoneDialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="keysheet">
        <KeyList title="Everywhere" lines={EVERYWHERE} />
        <KeyList title="In a list" lines={IN_A_LIST} />
        <KeyList title="Go to" lines={goTo} />
        <div className="keysheet__foot">
          <Checkbox name="singleKeys" label="Single keys on" isChecked={areOn} onChange={setOn} />
          <p className="meta">A key alone never moves money. A review opens first.</p>
        </div>
      </div>
    </DoneDialog>
  );
}

function KeyList({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section>
      <h3 className="section-title">{title}</h3>
      <dl className="keysheet__list">
        {lines.map(({ label, keys, isSequence = false }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Keys names={keys} isSequence={isSequence} />
              <span className="vh">{keys.join(isSequence ? ' then ' : ' ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
