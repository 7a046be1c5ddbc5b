import type { NavigationEntry, Screen } from '#web/lib/screens.ts';

type NavigationLink = Pick<NavigationEntry, 'label' | 'covers' | 'waiting' | 'isInbox'> & {
  to: string;
};

interface NavigationGroup {
  /** Null over the links at the top. */
  label: string | null;
  links: readonly NavigationLink[];
}

/** The links of an area, as its screens say: grouped, in the order in which the groups first come. */
export function navigationOf(screens: readonly Screen[]): NavigationGroup[] {
  const listed = screens.flatMap(({ path, navigation }) =>
    navigation === null ? [] : [{ to: path, ...navigation }],
  );
  return Array.from(
    Map.groupBy(listed, ({ group }) => group),
    ([label, links]) => ({ label, links }),
  );
}
