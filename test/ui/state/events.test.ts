import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Event,
  eventsOf,
  filterEvents,
  foldEvents,
  lastEvents,
  noFilter,
  partMilliseconds,
  stripOf,
} from '../../../ui/state/events.ts';
import type { PassView } from '../../../ui/state/types.ts';
import { group, instance, leavingInstance, now } from '../states.ts';

const pass = (parts: Partial<PassView> = {}): PassView => ({
  number: 1,
  at: now,
  work: 'node-leaving',
  subject: 'i-0fedcba9876543210',
  outcome: 'again',
  reason: 'waits for 4 pods',
  seconds: 0.3,
  ...parts,
});
const events = (...passes: readonly PassView[]): readonly Event[] => eventsOf({ passes, news: [] });
const line = (text: string, at = now) => ({ at, speaker: 'drover', text });
const textsOf = (found: readonly Event[]): readonly string[] => found.map(({ text }) => text);

const hour = 3_600_000;
const anyEvents = fc
  .array(
    fc.record({
      at: fc.integer({ min: now - 2 * hour, max: now }),
      subject: fc.constantFrom('i-0fedcba9876543210', 'workers', 'WORKERS-2', ''),
      reason: fc.constantFrom('waits', 'i-0123456789abcdef0 is gone', ''),
      outcome: fc.constantFrom('done', 'again', 'failed'),
    }),
    { maxLength: 40 },
  )
  .map((all) => events(...all.map((one, number) => pass({ ...one, number }))));

describe('the events', () => {
  it('are passes and lines of the story in one order, the newest first', () => {
    const news = [line('second', now - 1000), line('fourth', now - 3000)];
    const passes = [pass({ number: 2, reason: 'first' }), pass({ at: now - 2000, reason: 'third' })];
    expect(textsOf(eventsOf({ passes, news }))).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('are folded without losing one', () => {
    fc.assert(
      fc.property(anyEvents, (all) => {
        const times = foldEvents(all).reduce((sum, one) => sum + one.times, 0);
        expect(times).toBe(all.length);
      }),
    );
  });

  it('are folded if they repeat, although other subjects came in between', () => {
    const other = pass({ number: 2, at: now - 1000, subject: 'workers' });
    const [first] = foldEvents(events(pass({ number: 3 }), other, pass({ at: now - 2000 })));
    expect(first).toMatchObject({ times: 2, firstAt: now - 2000, at: now });
  });

  it('are not folded once another outcome came in between', () => {
    const failed = pass({ number: 2, at: now - 1000, outcome: 'failed' });
    expect(foldEvents(events(pass({ number: 3 }), failed, pass({ at: now - 2000 })))).toHaveLength(3);
  });
});

describe('the strip of the last hour', () => {
  it('has each event of its time once', () => {
    fc.assert(
      fc.property(anyEvents, (all) => {
        const strip = stripOf(all, now);
        const from = strip[0]?.from ?? 0;
        const within = all.filter(({ at }) => at >= from);
        expect(strip.reduce((sum, { count }) => sum + count, 0)).toBe(within.length);
        expect(now - from).toBeGreaterThanOrEqual(hour - partMilliseconds);
      }),
    );
  });

  it('counts in each part what the part shows', () => {
    fc.assert(
      fc.property(anyEvents, (all) => {
        for (const { from, count, failures } of stripOf(all, now)) {
          const found = filterEvents(all, { ...noFilter, at: from }, []);
          expect(found).toHaveLength(count);
          expect(filterEvents(found, { ...noFilter, failures: true }, [])).toHaveLength(failures);
        }
      }),
    );
  });
});

describe('the filter', () => {
  const groups = [
    group({ instances: [leavingInstance()] }),
    group({ autoScalingGroupName: 'workers-2', instances: [instance()] }),
  ];
  const all = eventsOf({
    passes: [
      pass({ reason: 'of the instance' }),
      pass({ number: 2, subject: 'workers', reason: 'of the group', at: now - 1 }),
      pass({ number: 3, subject: 'workers-2', reason: 'of the other group', at: now - 2 }),
    ],
    news: [line('drains ip-10-0-0-5.', now - 3), line('says nothing', now - 4)],
  });
  const found = (of: string) => textsOf(filterEvents(all, { ...noFilter, of }, groups));

  it('of an instance has its own events, and those that name its node', () => {
    const own = ['of the instance', 'drains ip-10-0-0-5.'];
    for (const name of ['i-0fedcba9876543210', ' I-0FEDCBA9876543210 ', 'ip-10-0-0-5'])
      expect(found(name)).toEqual(own);
  });

  it('of a group has those of its instances, and none of a group whose name begins with its own', () => {
    expect(found('workers')).toEqual(['of the instance', 'of the group', 'drains ip-10-0-0-5.']);
    expect(found('workers-2')).toEqual(['of the other group']);
  });

  it('finds words anywhere, and nothing if none match', () => {
    expect(found('NOTHING')).toEqual(['says nothing']);
    expect(found('elsewhere')).toEqual([]);
    expect(found('  ')).toHaveLength(5);
  });

  it('knows the last event of each instance, also by the name of its node', () => {
    const last = lastEvents(all.slice(3), groups);
    expect([...last].map(([id, { text }]) => [id, text])).toEqual([
      ['i-0fedcba9876543210', 'drains ip-10-0-0-5.'],
    ]);
    expect(lastEvents(all, groups).get('i-0fedcba9876543210')?.text).toBe('of the instance');
  });
});
