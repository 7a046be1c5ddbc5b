import { Download } from 'lucide-react';
import { useState } from 'react';
import {
  compareKept,
  readKeptRoots,
  type Followed,
  type KeptRoot,
} from '#contract/verify-chain.ts';
import { call } from '#web/api/client.ts';
import { formatCount } from '#web/lib/format.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** Size limit of a file of roots. A line has about a hundred bytes. */
const MOST_BYTES = 5_000_000;

interface KeptRootsProps {
  followed: Followed | undefined;
  /** Follows the chain further. */
  goOn: () => void;
}

/** Compares the chain with roots that the person keeps out of the company's reach. */
export function KeptRoots({ followed, goOn }: KeptRootsProps) {
  const [text, setText] = useState('');
  const [kept, setKept] = useState<readonly KeptRoot[] | 'unreadable'>();
  function compare(words: string): void {
    const roots = readKeptRoots(words);
    setKept(roots ?? 'unreadable');
    if (roots === undefined || followed === undefined) return;
    // The kept file may name a block that was sealed after the checks began.
    if (compareKept(roots, followed).result === 'beyond') goOn();
  }
  async function choose(file: File): Promise<void> {
    if (file.size > MOST_BYTES) return setKept('unreadable');
    const words = await file.text();
    setText(words.length > 2_000 ? '' : words);
    compare(words);
  }
  return (
    <div className="proof__kept">
      <p className="muted">
        Keep the roots of your company’s books where your company cannot reach them, at home for
        example. Later they show whether anything that was sealed before was changed. A line of a
        printed statement, “Root of block …”, does as well.
      </p>
      <Button shape="text" onPress={() => void download()}>
        <Icon of={Download} size={16} />
        Download the roots to keep
      </Button>
      <TextArea
        label="Roots you kept"
        name="kept-roots"
        hint="Paste them here, or choose the file."
        value={text}
        onChange={(words) => {
          setText(words);
          setKept(undefined);
        }}
      />
      <div className="proof__acts">
        <Button isDisabled={text.trim() === ''} onPress={() => compare(text)}>
          Compare
        </Button>
        <FileButton
          label="Choose a file of roots"
          accept=".jsonl,.json,.txt,text/plain,application/json"
          onChoose={(file) => void choose(file)}
        >
          Choose a file
        </FileButton>
      </div>
      {kept !== undefined && <Comparison kept={kept} followed={followed} goOn={goOn} />}
    </div>
  );
}

interface ComparisonProps extends KeptRootsProps {
  kept: readonly KeptRoot[] | 'unreadable';
}

function Comparison({ kept, followed, goOn }: ComparisonProps) {
  if (kept === 'unreadable') {
    return (
      <Notice tone="caution" role="alert">
        <p>This is not a list of roots. Use the file as it was downloaded, or the printed line.</p>
      </Notice>
    );
  }
  if (followed === undefined) {
    return (
      <Notice tone="caution" role="status">
        <p>There is nothing to compare with: this number has no seal yet.</p>
      </Notice>
    );
  }
  const found = compareKept(kept, followed);
  switch (found.result) {
    case 'right':
      return (
        <Notice tone="positive" role="status">
          <p className="strong">It is what you kept</p>
          <p>
            Block {formatCount(found.height)} has the root that you kept. Nothing up to it was
            changed since, this number included.
          </p>
        </Notice>
      );
    case 'wrong':
      return (
        <Notice tone="critical" role="alert">
          <p className="strong">It is not what you kept</p>
          <p>
            Block {formatCount(found.height)} has another root now: the books were changed after you
            kept it. Please report it, and keep your file.
          </p>
        </Notice>
      );
    case 'older':
      return (
        <Notice tone="caution" role="status">
          <p>
            These roots are older than this number and do not cover it. Use roots that you kept
            later.
          </p>
        </Notice>
      );
    case 'beyond':
      return (
        <Notice tone="caution" role="status">
          <p>
            Block {formatCount(found.height)} is beyond what was checked.{' '}
            <button type="button" className="link" onClick={goOn}>
              Check further
            </button>
          </p>
        </Notice>
      );
  }
}

async function download(): Promise<void> {
  try {
    const { roots } = await call('getLedgerRoots', {});
    const lines = roots.map((root) => `${JSON.stringify(root)}\n`).join('');
    const newest = roots.at(-1);
    const name = `ledger-roots-to-block-${newest?.height ?? 0}.jsonl`;
    saveFile(name, new Blob([lines], { type: 'application/jsonl' }));
  } catch {
    toast({ title: 'Not downloaded', message: 'Please try again.', tone: 'critical' });
  }
}
