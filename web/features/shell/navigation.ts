import type { NavigationEntry, Screen } from '#web/lib/screens.ts';

type NavigationLink = Pick<NavigationEntry, 'label' | 'covers' | 'waiting' | 'isInbox'> & {
  to: string;
};

interface NavigationGroup {
  /** Null for the links at the top. */
  label: string | null;
  links: readonly NavigationLink[];
}

/** Links of an area from its screens, grouped in the order in which the groups first appear. */
export function navigationOf(screens: readonly Screen[]): NavigationGroup[] {
  const listed = screens.flatMap(({ path, navigation }) =>
    navigation === null ? [] : [{ to: path, ...navigation }],
  );
  return Array.from(
    Map.groupBy(listed, ({ group }) => group),
    ([label, links]) => ({ label, links }),
  );
}
