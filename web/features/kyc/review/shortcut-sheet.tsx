import { keptOnDevice } from '#web/lib/storage.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';

const STORED_AS = 'purser.review-shortcuts';

/** True if single keys act; they do until the user turns them off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return keptOnDevice.get(STORED_AS) !== 'off';
}

export function storeShortcuts(areOn: boolean): void {
  keptOnDevice.set(STORED_AS, areOn ? null : 'off');
}

const KEYS = [
  ['J', 'Next in the queue'],
  ['K', 'Previous in the queue'],
  ['A', 'Approve'],
  ['R', 'Reject'],
  ['1, 2, 3', 'Show a document'],
  ['?', 'These shortcuts'],
  ['Esc', 'Close'],
] as const;

const IMAGE_KEYS = [
  ['+ and −', 'Zoom'],
  ['[ and ]', 'Rotate'],
  ['Arrows', 'Move'],
  ['0', 'As it was'],
] as const;

interface ShortcutSheetProps {
  areOn: boolean;
  onChange: (areOn: boolean) => void;
  onClose: () => void;
}

/** The keys of the desk with their acts, and the switch that turns them off. */
export function ShortcutSheet({ areOn, onChange, onClose }: ShortcutSheetProps) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      size="reject"
      onClose={onClose}
      actions={<Button slot="close">Close</Button>}
    >
      <div className="form">
        <Keys keys={KEYS} />
        <div>
          <h3 className="review-title">With the image focused</h3>
          <Keys keys={IMAGE_KEYS} />
        </div>
        <Checkbox
          label="Use single keys at the desk"
          name="shortcuts"
          isChecked={areOn}
          hint="They do nothing while you type in a field."
          onChange={onChange}
        />
      </div>
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
  return <Facts isTight facts={keys.map(([key, does]) => ({ label: key, value: does }))} />;
}
