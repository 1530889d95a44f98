import { describe, expect, it } from 'vitest';
import type { LeavingContext } from '../../../shared/leaving/context.ts';
import { again, done } from '../../../shared/passes/outcome.ts';
import { type Noted, stepsFrom } from '../../../shared/passes/steps.ts';
import { createNodeContext } from '../../support/leaving-context.ts';

const { context } = createNodeContext(0, {});

describe('the steps of a pass', () => {
  it('run in order, each with what the steps before it have added', async () => {
    const run = stepsFrom<LeavingContext, Noted & { readonly start: number }>()
      .step(async (_, { start }) => ({ one: start + 1 }))
      .step(async (_, { start, one }) => ({ two: `${start}-${one}` }))
      .last(async (_, { one, two }) => done(`${one} ${two}`));
    expect(await run(context, { start: 1, notes: [] })).toEqual(done('2 1-2'));
  });

  it('end with the first outcome: no later step runs', async () => {
    let ran = false;
    const run = stepsFrom<LeavingContext, Noted>()
      .step(async () => again(5, 'its pods terminate'))
      .step(async () => {
        ran = true;
        return {};
      })
      .last(async () => done('never'));
    expect(await run(context, { notes: [] })).toEqual(again(5, 'its pods terminate'));
    expect(ran).toBe(false);
  });

  it('add their notes to the reason of the outcome', async () => {
    const noting = stepsFrom<LeavingContext, Noted>().step(async (_, { notes }) => ({
      notes: [...notes, 'a tag is wrong'],
    }));
    const waiting = noting.step(async () => again(5, 'its pods terminate')).last(async () => done('never'));
    expect(await waiting(context, { notes: [] })).toEqual(again(5, 'its pods terminate; a tag is wrong'));
    expect(await noting.last(async () => done('gone'))(context, { notes: [] })).toEqual(
      done('gone; a tag is wrong'),
    );
  });

  it('reject with the error of a step', async () => {
    const run = stepsFrom<LeavingContext, Noted>()
      .step(() => Promise.reject(new Error('throttled')))
      .last(async () => done('never'));
    await expect(run(context, { notes: [] })).rejects.toThrow('throttled');
  });
});
