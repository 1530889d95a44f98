import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpEvent } from '../../../local/world/http-event.ts';
import { readHttpCall } from '../../../shared/scale-api/http-call.ts';
import { checkPrecondition, sizesTag } from '../../../shared/scale-api/precondition.ts';
import { ProblemError } from '../../../shared/scale-api/problem.ts';
import { groupWith } from '../capacity/fixtures.ts';

const group = groupWith([], { minSize: 1, maxSize: 9, desiredCapacity: 3 });
const check = (headers: Readonly<Record<string, string>>) =>
  checkPrecondition(readHttpCall(httpEvent('PUT', '/groups/workers/capacity', { headers })), group);

describe('the entity tag of the sizes of a group', () => {
  it('is a quoted text that differs exactly where a size differs', () => {
    expect(sizesTag(group)).toBe('"1-9-3"');
    const sizes = fc.record({ minSize: fc.nat(), maxSize: fc.nat(), desiredCapacity: fc.nat() });
    fc.assert(
      fc.property(sizes, sizes, (one, other) => {
        const same = (['minSize', 'maxSize', 'desiredCapacity'] as const).every(
          (size) => one[size] === other[size],
        );
        expect(sizesTag(one) === sizesTag(other)).toBe(same);
      }),
    );
  });
});

describe('If-Match', () => {
  it.each([
    ['is absent', {}],
    ['is a star', { 'If-Match': ' * ' }],
    ['is the tag of the sizes', { 'If-Match': '"1-9-3"' }],
    ['has that tag among others', { 'If-Match': '"1-9-2", "1-9-3" ,"1-9-4"' }],
  ])('allows a change if it %s', (_, headers) => {
    expect(() => check(headers)).not.toThrow();
  });

  it.each([
    ['another tag', '"1-9-2"'],
    ['the tag without quotes', '1-9-3'],
    ['a weak tag', 'W/"1-9-3"'],
    ['a star among others', '*, "1-9-2"'],
    ['an empty text', ''],
  ])('refuses a change if it is %s, with the current sizes', (_, text) => {
    let refused: unknown;
    try {
      check({ 'If-Match': text });
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(ProblemError);
    expect(refused).toMatchObject({
      problem: {
        status: 412,
        detail: expect.stringContaining('MinSize 1, MaxSize 9 and DesiredCapacity 3'),
      },
      headers: { etag: '"1-9-3"' },
    });
  });
});
