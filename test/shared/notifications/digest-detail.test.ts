import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { detailSchema } from '../../../events/notifications/detail-schema.ts';
import type { DigestDetail } from '../../../shared/notifications/digest-detail.ts';
import { eventOf } from '../../../shared/notifications/notification.ts';
import { problem } from '../digest/support.ts';

const eventWith = (digest: DigestDetail) =>
  eventOf(
    { kind: 'problems', occurrence: 'x', message: 'm', facts: {}, digest },
    { clusterName: 'prod', now: 0 },
  );

/** What an entry of PutEvents takes. */
const mostBytes = 256 * 1024;

it('an event has at most 256 KB, in the order of the list, and says how many problems were left out', () => {
  const texts = fc
    .string({ unit: 'binary', maxLength: 20 })
    .chain((text) => fc.integer({ min: 0, max: 400 }).map((times) => text.repeat(times)));
  const lists = fc.tuple(fc.array(texts, { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 1500 }));
  fc.assert(
    fc.property(lists, ([names, length]) => {
      const problems = Array.from({ length }, (_, index) => {
        const text = names[index % names.length] ?? '';
        return { ...problem(`${index} ${text}`, { message: `m${text}` }), command: text };
      });
      const { detail } = eventWith({
        problems,
        ended: problems,
        away: problems,
        unread: names,
        notLookedAt: names,
      });
      expect(Buffer.byteLength(JSON.stringify(detail))).toBeLessThan(mostBytes);
      expect(JSON.stringify(detail).isWellFormed()).toBe(true);
      expect((detail.problems?.length ?? 0) + (detail.more ?? 0)).toBe(length);
      expect(detail.problems?.map(({ subject }) => subject.split(' ')[0])).toEqual(
        problems.slice(0, detail.problems?.length).map((_, index) => String(index)),
      );
    }),
    { numRuns: 15 },
  );
});

it('each sentence is one line without links and quotes', () => {
  const { detail } = eventWith({
    problems: [problem('a', { message: 'see "https://evil.example"\nnow' })],
    ended: [],
    notLookedAt: [],
  });
  expect(detail.problems?.[0]?.message).toBe("see 'https:(//)evil(.)example' now");
  expect(detailSchema.parse(detail)).toEqual(detail);
});
