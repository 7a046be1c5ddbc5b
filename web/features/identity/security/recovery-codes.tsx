import { Download, Printer } from 'lucide-react';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useState, type ReactNode } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import './security.css';

const NOT_KEPT = 'Please keep the codes first.';

interface RecoveryCodesDialogProps {
  title: string;
  codes: readonly string[];
  onClose: () => void;
  /** Over the codes. */
  children?: ReactNode;
}

/** Shows recovery codes, once. No way closes it before the person says that they are kept. */
export function RecoveryCodesDialog({ title, codes, onClose, children }: RecoveryCodesDialogProps) {
  const [isKept, setIsKept] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={() => (isKept ? onClose() : setHasTried(true))}
      actions={
        <Button kind="solid" why={isKept ? undefined : NOT_KEPT} onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="form">
        {children}
        {hasTried && !isKept && (
          <Notice tone="caution" role="alert">
            <strong>{NOT_KEPT}</strong> They cannot be shown again.
          </Notice>
        )}
        <RecoveryCodes codes={codes} />
        <Checkbox
          name="kept"
          label="I have kept these codes in a safe place"
          isChecked={isKept}
          onChange={setIsKept}
        />
      </div>
    </Dialog>
  );
}

/** The codes themselves: to be copied, saved as a file, or printed. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <section className="recovery" aria-label="Recovery codes">
      <div className="recovery__head">
        <h3 className="strong">Recovery codes</h3>
        <span className="recovery__acts">
          <CopyValue value={text} label="Copy recovery codes" words="Copy" />
          <Button
            kind="quiet"
            shape="small"
            aria-label="Download recovery codes"
            onPress={() =>
              saveFile('purser-recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))
            }
          >
            <Icon of={Download} size={16} />
            Download
          </Button>
          <Button
            kind="quiet"
            shape="small"
            aria-label="Print recovery codes"
            onPress={() => window.print()}
          >
            <Icon of={Printer} size={16} />
            Print
          </Button>
        </span>
      </div>
      <p className="muted">
        If you lose your phone, you can sign in with one of these codes. Each works once. They are
        shown only now.
      </p>
      <ol className="recovery__codes num">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </section>
  );
}
