import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../../../ui/state/share.ts';
import { group, instance, state } from '../states.ts';

/** Without the one name that plain objects cannot be given by assignment. */
const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));

describe('structural sharing of two states', () => {
  it('yields the next state, whatever they are', () => {
    fc.assert(
      fc.property(json, json, (previous, next) => {
        expect(share(previous, next)).toEqual(next);
      }),
    );
  });

  it('returns the same object if nothing has changed', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(Object.is(share(value, structuredClone(value)), value)).toBe(true);
      }),
    );
  });

  it('keeps every part that has not changed, also if others were added before it', () => {
    const previous = state();
    const arrived = instance({ instanceId: 'i-0aaaaaaaaaaaaaaaa', lifecycleState: 'Pending' });
    const next = structuredClone(
      state({ groups: [group({ instances: [arrived, ...group().instances] })], now: 1 }),
    );
    const shared = share(previous, next);
    expect(shared).toEqual(next);
    expect(shared.queues).toBe(previous.queues);
    expect(shared.groups[0]).not.toBe(previous.groups[0]);
    expect(shared.groups[0]?.instances[1]).toBe(previous.groups[0]?.instances[0]);
  });
});
