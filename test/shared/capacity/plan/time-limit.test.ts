import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeFor } from '../../../../shared/capacity/plan/group-size.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { type IsTimeUp, PlanTimeError } from '../../../../shared/capacity/plan/time-limit.ts';
import { groupOf, occupied, replicas } from './fixtures.ts';

const web = replicas(9, 'web', { requests: { cpu: '1500m', memory: '1Gi' } });
const api = replicas(9, 'api', { requests: { cpu: '700m', memory: '3Gi' } });
const neverPlaced = replicas(3, 'huge', { requests: { cpu: '900', memory: '1Gi' } });
const pods = [...web, ...api, ...neverPlaced];
const node = occupied('a1', { autoScalingGroupName: 'workers' });

const plans: Readonly<Record<string, (isTimeUp?: IsTimeUp) => unknown>> = {
  'a plan of nodes': (isTimeUp) => planNodes({ nodes: [node], groups: [groupOf('workers')], pods, isTimeUp }),
  'the size of a group': (isTimeUp) => sizeWith(pods, isTimeUp),
  'the size of a group whose nodes can be emptied': (isTimeUp) => sizeWith(web.slice(0, 1), isTimeUp),
};

const sizeWith = (open: typeof pods, isTimeUp?: IsTimeUp): unknown =>
  sizeFor({
    nodes: ['a1', 'a2', 'a3'].map((name) => occupied(name, { autoScalingGroupName: 'workers' })),
    autoScalingGroupName: 'workers',
    template: groupOf('workers').template,
    maxSize: 20,
    joining: new Set(),
    withoutRoom: 0,
    open: new Map([['sale', open]]),
    isTimeUp,
  });

/** The time is up when it is asked about for this time. */
function timeFor(asks: number) {
  let asked = 0;
  const isTimeUp = (): boolean => {
    asked += 1;
    return asked > asks;
  };
  return { isTimeUp, asked: () => asked };
}

describe.each(Object.entries(plans))('%s with a time limit', (_, plan) => {
  const whole = timeFor(Infinity);
  plan(whole.isTimeUp);

  it('is given up at once, whenever its time is up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.asked() - 1 }), (asks) => {
        const { isTimeUp, asked } = timeFor(asks);
        expect(() => plan(isTimeUp)).toThrow(PlanTimeError);
        expect(asked()).toBe(asks + 1);
      }),
    );
  });

  it('is the same as without a limit if its time is enough', () => {
    expect(plan(timeFor(whole.asked()).isTimeUp)).toEqual(plan());
  });
});

describe('a plan with a time limit', () => {
  it('asks for the time at each pod that it places, and at each shape that it explains', () => {
    const { isTimeUp, asked } = timeFor(Infinity);
    planNodes({ nodes: [node], groups: [], pods: neverPlaced, isTimeUp });
    // One placement without reasons, one with them for the one shape.
    expect(asked()).toBe(2 * neverPlaced.length + 1);
  });
});
