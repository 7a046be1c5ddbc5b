import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { CompanyContext } from '#web/lib/company.ts';
import { ZoneContext } from '#web/lib/zones.ts';
import { DatedRail } from './dated-rail.tsx';

const at = '2026-12-07T19:41:00.000Z';

function timesOf(
  timeZone: string,
  moments?: 'shortDateTime' | 'dateTime',
  zone: string | null = null,
): string[] {
  const company = { name: 'Tallis & Reed, Inc.', currency: 'EUR', timeZone } as const;
  const markup = renderToStaticMarkup(
    <CompanyContext value={company}>
      <ZoneContext value={zone}>
        <DatedRail
          label="Progress"
          moments={moments}
          steps={[
            { state: 'done', what: 'Requested', at },
            { state: 'next', what: 'Arrived', time: 'Dec 9\u201310', timeNote: 'expected' },
          ]}
        />
      </ZoneContext>
    </CompanyContext>,
  );
  return Array.from(markup.matchAll(/rail__time num">(.*?)<\/span>/g), ([, inside = '']) =>
    inside.replaceAll(/<\/?[^>]*>/g, '|').replaceAll(/\|+/g, '|'),
  );
}

describe('the times of a rail', () => {
  test('use the device\u2019s time zone, with the time of day below the date', () => {
    expect(timesOf('America/New_York', undefined, 'Asia/Kolkata')[0]).toBe('|Dec 8|1:11 AM|');
    expect(timesOf('America/New_York')[0]).toBe('|Dec 7|2:41 PM|');
    expect(timesOf('America/Los_Angeles')[0]).toBe('|Dec 7|11:41 AM|');
    expect(timesOf('Asia/Tokyo')[0]).toBe('|Dec 8|4:41 AM|');
  });

  test('are on one line if requested', () => {
    expect(timesOf('America/New_York', 'shortDateTime')[0]).toBe('|Dec 7, 2:41 PM|');
    expect(timesOf('America/New_York', 'dateTime')[0]).toBe('|Dec 7, 2026, 2:41 PM|');
  });

  test('show an estimate unchanged', () => {
    expect(timesOf('America/New_York')[1]).toBe('|Dec 9\u201310|expected|');
  });
});
