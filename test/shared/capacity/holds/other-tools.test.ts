import { describe, expect, it } from 'vitest';
import type { Hold } from '../../../../shared/capacity/holds/hold.ts';
import { capacityPass } from '../../../../shared/capacity/holds/pass.ts';
import { hour, start } from './fixtures.ts';
import { createHoldWorld } from './world.ts';

// Situations that people have reported of other tools; the number is that of the report.

interface Sizes {
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredCapacity: number;
}

const configured: Sizes = { minSize: 2, maxSize: 10, desiredCapacity: 2 };

function createDay() {
  const world = createHoldWorld();
  const reasons: string[] = [];
  /** What another tool sets, within the bounds as Auto Scaling requires. */
  const apply = (sizes: Partial<Sizes>): void => {
    const next = { ...world.group(), ...sizes };
    const desiredCapacity = Math.max(next.minSize, Math.min(next.desiredCapacity, next.maxSize));
    world.change({ ...sizes, desiredCapacity });
  };
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute += 1) {
      reasons.push((await capacityPass(world.context, 'workers')).reason);
      world.passSeconds(60);
    }
  };
  const hold = (name: string, changes: Partial<Hold> = {}): void =>
    world.hold({
      autoScalingGroupName: 'workers',
      name,
      nodes: 6,
      until: world.clock.now() + hour,
      raiseMaxSize: false,
      createdAt: world.clock.now(),
      ...changes,
    });
  const sizes = () => {
    const { minSize, maxSize, desiredCapacity } = world.group();
    return { minSize, maxSize, desiredCapacity };
  };
  const claims = () => reasons.filter((reason) => reason.includes('was lost'));
  return { reasons, apply, minutes, hold, sizes, claims };
}

describe('a hold beside another tool', () => {
  it('has its floor again within minutes of each run that resets the sizes, and the configured sizes at its end (terraform#11798)', async () => {
    const { apply, minutes, hold, sizes, claims } = createDay();
    apply(configured);
    hold('sale', { nodes: 14, raiseMaxSize: true, until: start + 3 * hour });
    for (let run = 0; run < 8; run += 1) {
      await minutes(20);
      expect(sizes()).toMatchObject({ minSize: 14, maxSize: 14 });
      apply(configured);
      await minutes(1);
      expect(sizes()).toMatchObject({ minSize: 14, maxSize: 14, desiredCapacity: 14 });
    }
    await minutes(30);
    apply({ desiredCapacity: 3 });
    await minutes(10);
    expect(sizes()).toEqual({ ...configured, desiredCapacity: 3 });
    expect(claims()).toEqual([]);
  });

  it('has the size as its base that a tool fixes below the hold, and that is reported (terraform-aws-fck-nat#50)', async () => {
    const { apply, minutes, hold, sizes, reasons } = createDay();
    hold('sale', { nodes: 9 });
    await minutes(10);
    apply({ minSize: 5, maxSize: 5 });
    await minutes(10);
    expect(reasons.join()).toContain('something else set MinSize to 5, which is the base now (it was 2)');
    await minutes(60);
    expect(sizes()).toEqual({ minSize: 5, maxSize: 5, desiredCapacity: 5 });
  });

  it('has the base of a group of fixed size whose size a tool changes during the hold (terraform-aws-eks#2508)', async () => {
    const { apply, minutes, hold, sizes, claims } = createDay();
    apply({ minSize: 3, maxSize: 3, desiredCapacity: 3 });
    hold('sale', { nodes: 5, raiseMaxSize: true });
    await minutes(10);
    expect(sizes()).toMatchObject({ minSize: 5, maxSize: 5 });
    apply({ minSize: 4, maxSize: 4, desiredCapacity: 4 });
    await minutes(10);
    expect(sizes()).toMatchObject({ minSize: 5, maxSize: 5 });
    await minutes(60);
    apply({ desiredCapacity: 4 });
    await minutes(10);
    expect(sizes()).toEqual({ minSize: 4, maxSize: 4, desiredCapacity: 4 });
    expect(claims()).toEqual([]);
  });
});
