import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button,
  Disclosure as AriaDisclosure,
  DisclosurePanel,
  Heading,
} from 'react-aria-components';
import { Icon } from './icon.tsx';

interface DisclosureProps {
  title: string;
  children: ReactNode;
  /** Level of its heading in the page. */
  level?: 2 | 3 | 4 | undefined;
  isInitiallyOpen?: boolean | undefined;
}

/** Heading that opens and closes the content below it. */
export function Disclosure({
  title,
  children,
  level = 2,
  isInitiallyOpen = false,
}: DisclosureProps) {
  return (
    <AriaDisclosure className="disclosure" defaultExpanded={isInitiallyOpen}>
      <Heading level={level}>
        <Button slot="trigger" className="disclosure__trigger">
          {title}
          <Icon of={ChevronDown} />
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="disclosure__body">{children}</div>
      </DisclosurePanel>
    </AriaDisclosure>
  );
}
