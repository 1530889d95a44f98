import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../../ui/state/group-health.ts';
import type { InstanceView, ProblemView } from '../../../ui/state/types.ts';
import { capacity, group, instance, leavingInstance, node } from '../states.ts';

const calm = capacity({ floor: 0, ready: 2 });
const other = instance({ instanceId: 'i-2' });
const healthOf = (parts: Parameters<typeof group>[0], problems: readonly ProblemView[] = []): string =>
  summaryOf(group({ capacity: calm, instances: [instance(), other], ...parts }), problems).health;
const failing = instance({ node: node({ ready: false }) });
const { leaving } = leavingInstance().node ?? node();
const unheld = leavingInstance({
  node: node({ ...(leaving && { leaving: { ...leaving, waitingFor: [] } }) }),
});

const anyInstance = fc.constantFrom<InstanceView>(
  instance(),
  failing,
  unheld,
  leavingInstance(),
  instance({ lifecycleState: 'Pending:Wait', node: undefined }),
  instance({ node: undefined, nodeUnknown: true }),
  instance({ lifecycleState: 'Standby' }),
  instance({ lifecycleState: 'Warmed:Stopped', ec2State: 'stopped', node: undefined }),
);

describe('the health of a group', () => {
  it.each([
    ['Healthy', {}],
    ['Degraded', { instances: [instance(), failing] }],
    ['Degraded', { instances: [instance(), leavingInstance()] }],
    ['Degraded', { capacity: capacity({ floor: 4, ready: 2 }) }],
    ['Progressing', { instances: [instance(), unheld] }],
    ['Progressing', { desiredCapacity: 3 }],
    ['Suspended', { paused: 'paused by ana' }],
    ['Degraded', { paused: 'paused by ana', instances: [instance(), failing] }],
    ['Unknown', { instances: [], instancesUnknown: true as const }],
    ['Unknown', { instances: [instance({ node: undefined, nodeUnknown: true })], desiredCapacity: 1 }],
  ])('is %s (%#)', (health, parts) => {
    expect(healthOf(parts)).toBe(health);
  });

  it.each(['workers', 'i-2', 'ip-10-0-0-4.eu-west-1.compute.internal'])(
    'is Degraded while there is a problem of %s, and only of it',
    (subject) => {
      expect(healthOf({}, [{ subject, message: 'm' }])).toBe('Degraded');
      expect(healthOf({}, [{ subject: `${subject}0`, message: 'm' }])).toBe('Healthy');
    },
  );

  // A green badge above a red part is what Argo CD had at first.
  it('is never Healthy while an instance is not serving, and counts each instance once', () => {
    fc.assert(
      fc.property(fc.array(anyInstance, { maxLength: 6 }), fc.boolean(), (instances, isPaused) => {
        const shown = group({ capacity: calm, instances, ...(isPaused && { paused: 'p' }) });
        const { health, counts } = summaryOf(shown, []);
        expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(instances.length);
        if (counts.failing > 0) expect(health).toBe('Degraded');
        if (counts.failing + counts.leaving + counts.joining > 0 || isPaused)
          expect(health).not.toBe('Healthy');
      }),
    );
  });

  it('has the Ready nodes as unknown if they were not read, never as zero', () => {
    const { capacity: _, ...rest } = group({ instances: [instance({ node: undefined, nodeUnknown: true })] });
    expect(summaryOf(rest, []).ready).toBeUndefined();
    expect(summaryOf({ ...rest, instances: [instance(), leavingInstance()] }, []).ready).toBe(1);
  });
});
