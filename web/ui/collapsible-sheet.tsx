import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { Icon } from './icon.tsx';
import './collapsible-sheet.css';

interface CollapsibleSheetProps {
  title: string;
  children: ReactNode;
  /** Content at the right of the head, open or closed: a button, a date. */
  end?: ReactNode;
}

/** Sheet that collapses to its title. It starts open. */
export function CollapsibleSheet({ title, children, end }: CollapsibleSheetProps) {
  return (
    <Disclosure className="sheet collapsible" defaultExpanded>
      <div className="sheet__head">
        <Heading level={2}>
          <Button slot="trigger" className="collapsible__toggle">
            <Icon of={ChevronDown} size={16} />
            {title}
          </Button>
        </Heading>
        {end}
      </div>
      <DisclosurePanel>{children}</DisclosurePanel>
    </Disclosure>
  );
}
