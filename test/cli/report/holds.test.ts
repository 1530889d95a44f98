import { describe, expect, it } from 'vitest';
import { gatherLooks, readLookFact } from '../../../cli/report/facts/look-spans.ts';
import { holdsOf } from '../../../cli/report/fold/holds.ts';
import { shuffled, start } from './lines.ts';

interface Scan {
  /** Minutes after the start. */
  readonly at: number;
  readonly held?: readonly object[];
}

const group = (inService: number, rest: object = {}) => ({
  group: 'workers',
  base: 2,
  asked: 4,
  maxSize: 10,
  instances: inService,
  inService,
  holds: [{ name: 'sale', nodes: 4 }],
  ...rest,
});

const lineOf = ({ at, held }: Scan) => ({
  time: new Date(start + at * 60_000).toISOString(),
  level: 'info',
  message: 'look',
  holds: held?.length ?? 0,
  ...(held && { held }),
});

function foundIn(scans: readonly Scan[], untilMinutes: number) {
  const gathered = gatherLooks();
  for (const scan of scans) {
    const fact = readLookFact(lineOf(scan));
    if (!fact) throw new TypeError('this is not the line of a scan');
    gathered.add(fact);
  }
  return holdsOf(gathered.spans(), start + untilMinutes * 60_000);
}

const scans = (from: number, to: number, ...held: readonly object[]): readonly Scan[] =>
  Array.from({ length: to - from }, (_, index) => ({ at: from + index, ...(held.length > 0 && { held }) }));

describe('holds', () => {
  it('that had their nodes were kept, and cost the nodes above the base', () => {
    const found = foundIn([...scans(0, 5, group(2)), ...scans(5, 125, group(4)), ...scans(125, 200)], 200);
    expect(found).toEqual({
      holds: [
        {
          group: 'workers',
          name: 'sale',
          schedule: undefined,
          nodes: 4,
          from: start,
          to: start + 125 * 60_000,
          result: 'kept',
          shortSeconds: 300,
        },
      ],
      hours: [{ group: 'workers', nodeHours: 4 }],
      inUnits: [],
      unseenSeconds: 0,
    });
  });

  // https://github.com/opencost/opencost/issues/3164: a whole day was 23.9 hours, because the last sample had no length.
  it('of a whole day have 24 hours, up to the end of the report', () => {
    expect(foundIn(scans(0, 1440, group(4)), 1440).hours).toEqual([{ group: 'workers', nodeHours: 48 }]);
  });

  it('are the same in any order of the lines, and if scans are repeated within their minute', () => {
    const lines = [...scans(0, 5, group(2)), ...scans(5, 65, group(4)), ...scans(65, 90)];
    const again = lines.map(({ at, ...scan }) => ({ at: at + 0.2, ...scan }));
    const { holds, hours } = foundIn(lines, 90);
    expect(foundIn(shuffled(lines), 90)).toMatchObject({ holds, hours });
    expect(foundIn([...lines, ...again], 90).holds[0]).toMatchObject({ result: 'kept', shortSeconds: 300 });
  });

  it('without their nodes for longer than 15 minutes were not kept', () => {
    const short = [...scans(0, 60, group(4)), ...scans(60, 76, group(3)), ...scans(76, 90, group(4))];
    expect(foundIn(short, 90).holds).toMatchObject([{ result: 'short', shortSeconds: 960 }]);
    const brief = [...scans(0, 60, group(4)), ...scans(60, 74, group(3)), ...scans(74, 90, group(4))];
    expect(foundIn(brief, 90).holds).toMatchObject([{ result: 'kept', shortSeconds: 840 }]);
    expect(foundIn(scans(0, 40, group(2)), 40).holds).toMatchObject([{ result: 'never' }]);
  });

  it('whose nodes still launch at the end of the report are not judged yet', () => {
    expect(foundIn(scans(0, 15, group(2)), 15).holds).toMatchObject([{ result: 'waiting' }]);
    expect(foundIn(scans(0, 16, group(2)), 16).holds).toMatchObject([{ result: 'never' }]);
    const ended = [...scans(0, 10, group(2)), ...scans(10, 12)];
    expect(foundIn(ended, 12).holds).toMatchObject([{ result: 'never' }]);
    const lost = [...scans(0, 10, group(4)), ...scans(10, 12, group(2))];
    expect(foundIn(lost, 12).holds).toMatchObject([{ result: 'kept' }]);
  });

  it('of schedules are late if a node is missing at their time, whenever the hold was made', () => {
    const of = (name: string) => ({ holds: [{ name, nodes: 4, schedule: 'morning' }] });
    const at = (name: string) =>
      foundIn([...scans(0, 12, group(3, of(name))), ...scans(12, 60, group(4, of(name)))], 60).holds;
    expect(at('morning.20260105T0810Z')).toMatchObject([{ schedule: 'morning', result: 'late' }]);
    expect(at('morning.20260105T0812Z')).toMatchObject([{ result: 'kept' }]);
  });

  it('with a name that is used again are two holds', () => {
    const found = foundIn([...scans(0, 30, group(4)), ...scans(30, 60), ...scans(60, 90, group(4))], 90);
    expect(found.holds.map(({ from, to }) => [from, to])).toEqual([
      [start, start + 30 * 60_000],
      [start + 60 * 60_000, start + 90 * 60_000],
    ]);
  });

  it('while no scan ran are not known, and the report says for how long', () => {
    const found = foundIn([...scans(0, 30, group(4)), ...scans(90, 120, group(4))], 120);
    expect(found.unseenSeconds).toBe(61 * 60);
    expect(found.hours[0]?.nodeHours).toBeCloseTo((2 * 59) / 60);
  });

  it('ask for no more than MaxSize, and nodes that launch for nothing else cost nothing', () => {
    const beyond = group(9, { asked: 20, maxSize: 6, holds: [{ name: 'sale', nodes: 20 }] });
    expect(foundIn(scans(0, 60, beyond), 60).hours).toEqual([{ group: 'workers', nodeHours: 4 }]);
    expect(foundIn(scans(0, 60, group(1)), 60).hours).toEqual([{ group: 'workers', nodeHours: 0 }]);
  });

  it('of groups with weights have no node-hours', () => {
    expect(foundIn(scans(0, 60, group(4, { countsUnits: true })), 60)).toMatchObject({
      hours: [],
      inUnits: ['workers'],
    });
  });
});

it('scans of Drover 0.1 do not say what held groups had: that is not known, and no hold is made up', () => {
  const old = Array.from({ length: 30 }, (_, at) => ({ ...lineOf({ at }), holds: 2 }));
  const gathered = gatherLooks();
  for (const line of old) gathered.add(readLookFact(line) ?? { at: 0, held: [] });
  expect(holdsOf(gathered.spans(), start + 30 * 60_000)).toEqual({
    holds: [],
    hours: [],
    inUnits: [],
    unseenSeconds: 1800,
  });
});

it('the scan of rolls is left out, and a scan without holds has none', () => {
  expect(readLookFact({ time: '2026-01-05T08:00:00Z', message: 'look', rolls: 1, sent: [] })).toBeUndefined();
  expect(readLookFact(lineOf({ at: 0 }))).toEqual({ at: start, held: [] });
});
