import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';

interface TabItem<Id extends string = string> {
  id: Id;
  label: string;
  content: ReactNode;
}

interface TabsProps<Id extends string> {
  /** Accessible name of the list of tabs. */
  label: string;
  tabs: readonly TabItem<Id>[];
  selected: Id;
  onSelect: (id: Id) => void;
  /** Content at the right end of the tab line. */
  end?: ReactNode;
}

/**
 * Parts of a screen, one shown at a time. Arrow keys move and select. The caller keeps the
 * selection, usually in the URL.
 */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, end }: TabsProps<Id>) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => {
        const tab = tabs.find((candidate) => candidate.id === key);
        if (tab && tab.id !== selected) onSelect(tab.id);
      }}
    >
      <div className="tabs">
        <TabList aria-label={label}>
          {tabs.map((tab) => (
            <Tab key={tab.id} id={tab.id}>
              {tab.label}
            </Tab>
          ))}
        </TabList>
        {end !== undefined && <div className="tabs__end">{end}</div>}
      </div>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="tabs__panel">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
