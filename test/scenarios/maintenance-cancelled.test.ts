import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { heldDeployment, run } from '../../local/world/workloads.ts';
import {
  eventsOn,
  markOf,
  nodeNameOf,
  nodeObjectOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

const announced = 'arn:aws:health:eu-west-1::event/EC2/AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED/first';

/** What AWS Health reports about a change of this instance. */
function report(
  { account }: DroverWorld,
  instanceId: string,
  {
    statusCode,
    eventArn = announced,
  }: { readonly statusCode: 'upcoming' | 'closed'; readonly eventArn?: string },
): void {
  account.events.putAwsEvent({
    source: 'aws.health',
    detailType: 'AWS Health Event',
    resources: [instanceId],
    detail: {
      service: 'EC2',
      eventArn,
      eventTypeCode: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
      eventTypeCategory: 'scheduledChange',
      eventRegion: account.region,
      statusCode,
      affectedEntities: [
        { entityValue: instanceId, status: statusCode === 'closed' ? 'RESOLVED' : 'PENDING' },
      ],
    },
  });
}

const uncordoned = ({ lines }: DroverWorld) =>
  lines.filter(({ message, reason }) => message === 'pass' && String(reason).endsWith('is uncordoned'));

/** A node whose budget holds its pods while it drains for a scheduled change. */
async function drainingNode(options: { readonly hook?: undefined } = {}) {
  const world = createDroverWorld();
  const [instanceId = ''] = await withWorkers(world, { size: 2, ...options });
  await run(world, ...heldDeployment({ name: 'held', replicas: 2 }));
  report(world, instanceId, { statusCode: 'upcoming' });
  await untilSaid(world, instanceId, /held/);
  expect(markOf(world, instanceId)?.cause).toBe('scheduled-change');
  return { world, instanceId };
}

// NTH #293.
describe('the drain for a scheduled change', () => {
  it.each([
    ['with a hook', {}],
    ['without a hook', { hook: undefined }],
  ])(
    'ends when AWS Health closes the change: the node serves again, and the instance stays (%s)',
    async (_, options) => {
      const { world, instanceId } = await drainingNode(options);
      report(world, instanceId, { statusCode: 'closed' });
      await untilSaid(world, instanceId, /ended or was cancelled .* the drain ends/, 120);
      expect(markOf(world, instanceId)).toBeUndefined();
      expect(nodeObjectOf(world, instanceId)?.spec?.unschedulable).toBeUndefined();
      expect(eventsOn(world, nodeNameOf(world, instanceId))).toContain('DrainCancelled');
      await world.timeline.pass(45 * 60);
      expect(stateOf(world, instanceId)).toBe('InService');
      expect(markOf(world, instanceId)).toBeUndefined();
    },
  );

  it('goes on if another change of the instance is closed', async () => {
    const { world, instanceId } = await drainingNode();
    report(world, instanceId, { statusCode: 'closed', eventArn: `${announced}-other` });
    await world.timeline.pass(120);
    expect(markOf(world, instanceId)?.cause).toBe('scheduled-change');
  });

  it('goes on if the instance terminates meanwhile', async () => {
    const { world, instanceId } = await drainingNode();
    terminate(world, instanceId, { replace: false });
    await world.timeline.pass(30);
    report(world, instanceId, { statusCode: 'closed' });
    await world.timeline.pass(60);
    expect(markOf(world, instanceId)?.cause).toBe('terminating');
    await untilGone(world, instanceId, 3600);
  });

  it('begins again if AWS announces another change after the end of the first', async () => {
    const { world, instanceId } = await drainingNode();
    report(world, instanceId, { statusCode: 'closed' });
    await untilSaid(world, instanceId, /the drain ends/, 120);
    report(world, instanceId, { statusCode: 'upcoming', eventArn: `${announced}-second` });
    await world.timeline.pass(60);
    expect(markOf(world, instanceId)?.cause).toBe('scheduled-change');
  });

  it('is not begun for a change that was cancelled before any pass', async () => {
    const world = createDroverWorld();
    const [instanceId = ''] = await withWorkers(world, {
      size: 1,
      hook: { name: hookName, heartbeatTimeoutSeconds: 300 },
    });
    report(world, instanceId, { statusCode: 'closed' });
    await untilSaid(world, instanceId, /it is InService/, 60);
    expect(markOf(world, instanceId)).toBeUndefined();
  });

  // A kubelet does not register its Node again while it runs, so nothing would ever use such an instance.
  it.each([
    ['DELETE /api/v1/nodes/', 'kill-after'],
    ['autoscaling TerminateInstanceInAutoScalingGroup', 'kill-after'],
    ['autoscaling TerminateInstanceInAutoScalingGroup', 'fail-after'],
  ] as const)(
    'leaves no instance in service without a Node, and uncordons none that leaves, if %s meets %s and the change closes',
    async (last, kind) => {
      let closes = (): void => undefined;
      let kills = 0;
      const staleSeconds = (): number => (kills > 0 ? 10 : 0);
      const strike = ({ what }: CallInFlight): Strike | undefined => {
        if (!what.startsWith(last) || kills > 0) return undefined;
        kills += 1;
        closes();
        return { kind };
      };
      const world = createDroverWorld({ weather: { strike, staleSeconds } });
      const [instanceId = ''] = await withWorkers(world, { size: 2, hook: undefined });
      closes = () => report(world, instanceId, { statusCode: 'closed' });
      report(world, instanceId, { statusCode: 'upcoming' });
      await world.timeline.pass(15 * 60);
      expect(kills).toBe(1);
      expect(uncordoned(world)).toEqual([]);
      expect([stateOf(world, instanceId), nodeObjectOf(world, instanceId)]).toEqual([undefined, undefined]);
    },
  );
});
