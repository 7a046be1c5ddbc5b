import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import { LoadedQuery } from './loaded-query.tsx';

interface Figure {
  value: ReactNode;
  note?: ReactNode;
}

interface FiguresProps<Data, Labels extends readonly string[]> {
  query: UseQueryResult<Data>;
  labels: Labels;
  /** Figures of the data, one for each label. */
  figuresOf: (data: Data) => { readonly [Index in keyof Labels]: Figure };
}

/** Figures over a list. Bars while they load: a figure is never shown as 0 before it is known. */
export function Figures<Data, const Labels extends readonly string[]>({
  query,
  labels,
  figuresOf,
}: FiguresProps<Data, Labels>) {
  const draw = (figures: readonly Figure[]) => (
    <Stats>
      {labels.map((label, index) => (
        <Stat
          key={label}
          label={label}
          {...(figures[index] ?? { value: <SkeletonBar width="short" />, note: NOTE_TO_COME })}
        />
      ))}
    </Stats>
  );
  return (
    <LoadedQuery query={query} what="statistics" placeholder={draw([])}>
      {(data) => draw(figuresOf(data))}
    </LoadedQuery>
  );
}
