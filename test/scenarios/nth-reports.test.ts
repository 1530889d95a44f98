import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { attributesOfCall, deniedByWebhook } from '@drover/cloud-sandbox/kubernetes';
import { describe, expect, it } from 'vitest';
import {
  createDroverWorld,
  type DroverWorld,
  hookName,
  nodesOf,
  stateOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { deployment, heldDeployment, podsNamed, request, run } from '../../local/world/workloads.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import {
  eventsOn,
  markOf,
  nodeNameOf,
  nodeObjectOf,
  passesOf,
  untilGone,
  untilSaid,
} from '../support/observed-instance.ts';

/** docs/migrate-nth.md has the whole list, and names the cases that other files have. */

const runningPods = (world: DroverWorld, app: string): number =>
  podsNamed(world, app).filter(({ status }) => status?.phase === 'Running').length;

const messagesLeft = ({ account }: DroverWorld): readonly string[] => {
  const { controls } = account.sqs;
  return controls.queueNames().filter((queue) => controls.peek(queue).length > 0);
};

/** A target group whose targets take two minutes to deregister. */
function makeTargetGroup({ account }: DroverWorld): string {
  const { operations } = account.loadBalancing;
  const { TargetGroups } = operations.CreateTargetGroup({
    Name: 'web',
    Protocol: 'HTTP',
    Port: 80,
    VpcId: 'vpc-1',
  });
  const TargetGroupArn = TargetGroups[0]?.TargetGroupArn ?? '';
  const Attributes = [{ Key: 'deregistration_delay.timeout_seconds', Value: '120' }];
  operations.ModifyTargetGroupAttributes({ TargetGroupArn, Attributes });
  return TargetGroupArn;
}

describe('what users of AWS Node Termination Handler report', () => {
  it('a load balancer sends no request to an instance that a notice drains before it has left (NTH #316)', async () => {
    const world = createDroverWorld();
    const arn = makeTargetGroup(world);
    const [leaving = ''] = await withWorkers(world, {
      size: 2,
      spot: true,
      hook: undefined,
      tags: { 'drover.dev/drain-on-rebalance': 'true' },
      settings: { TargetGroupARNs: [arn] },
    });
    const { DeregisterTargets, DescribeTargetHealth } = world.account.loadBalancing.operations;
    const Targets = [{ Id: leaving }];
    const target = () =>
      DescribeTargetHealth({ TargetGroupArn: arn, Targets }).TargetHealthDescriptions[0]?.TargetHealth?.State;
    await run(world, deployment({ name: 'web', replicas: 4, graceSeconds: 30, stopsAfterSeconds: 20 }));
    world.account.ec2.accidents.recommendRebalance(leaving);
    await world.timeline.until(
      () =>
        nodeObjectOf(world, leaving)?.metadata?.labels?.[
          'node.kubernetes.io/exclude-from-external-load-balancers'
        ] === 'true',
      { withinSeconds: 60, what: 'the label for service controllers' },
    );
    // As a service controller does on the label.
    DeregisterTargets({ TargetGroupArn: arn, Targets });
    await untilSaid(world, leaving, /requests may be in flight: .* still deregisters it/, 120);
    expect(target()).toBe('draining');
    await untilSaid(world, leaving, /handed back/, 300);
    expect(target()).toBe('unused');
  });

  it('all nodes of a cluster can leave at once, because nothing that drains runs on them, also if each function is killed once (NTH #718, #1188)', async () => {
    const killed = new Set<string>();
    const strike = ({ caller, to }: CallInFlight): Strike | undefined => {
      if (to !== 'kubernetes' || killed.has(caller)) return undefined;
      killed.add(caller);
      return { kind: 'kill-after' };
    };
    const world = createDroverWorld({ weather: { strike } });
    const leaving = await withWorkers(world, {
      size: 4,
      hook: { name: hookName, heartbeatTimeoutSeconds: 60 },
    });
    await run(world, deployment({ name: 'web', replicas: 8, graceSeconds: 90, stopsAfterSeconds: 80 }));
    const before = new Set(nodesOf(world));
    for (const id of leaving) terminate(world, id);
    await world.timeline.pass(60);
    expect(leaving.map((id) => stateOf(world, id))).toEqual(leaving.map(() => 'Terminating:Wait'));
    for (const id of leaving) await untilGone(world, id, 900);
    await world.timeline.until(() => runningPods(world, 'web') === 8, {
      withinSeconds: 600,
      what: 'the pods on the new nodes',
    });
    expect(killed).toContain('node-leaving');
    expect(nodesOf(world).filter((name) => before.has(name))).toEqual([]);
  });

  it('a launch whose node needs 25 minutes is completed when it is Ready, and its message is not parked by receives (NTH #1205, #1007)', async () => {
    const world = await startJoiningWorld({ kubelets: { configure: () => ({ readyDelaySeconds: 1500 }) } });
    launchWorkers(world, 1, { tags: { 'drover.dev/join-timeout': '40m' } });
    await world.timeline.pass(1490);
    expect(inService(world)).toEqual([]);
    await world.timeline.until(() => inService(world).length === 1, {
      withinSeconds: 90,
      what: 'the instance in service',
    });
    await world.timeline.pass(120);
    expect(messagesLeft(world)).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  it('a Node that a policy refuses to mark is named by each pass, and is cordoned and drained by the pass after the policy allows it (NTH #1284)', async () => {
    let isRefused = true;
    const strike = ({ caller, to, what }: CallInFlight): Strike | undefined => {
      if (!isRefused || caller !== 'node-leaving' || to !== 'kubernetes') return undefined;
      const asked = attributesOfCall(what);
      return 'resource' in asked && asked.verb === 'patch' && asked.resource === 'nodes'
        ? deniedByWebhook({ webhook: 'taints.example', why: 'no taints' })
        : undefined;
    };
    const world = createDroverWorld({ weather: { strike } });
    const [leaving = ''] = await withWorkers(world, { size: 3 });
    await run(world, ...heldDeployment({ name: 'held', replicas: 6 }));
    const node = nodeNameOf(world, leaving);
    terminate(world, leaving, { replace: false });
    await world.timeline.pass(300);
    expect(stateOf(world, leaving)).toBe('Terminating:Wait');
    expect(eventsOn(world, node)).toContain('CordonDenied');
    expect(passesOf(world, leaving).at(-1)?.reason).toMatch(/could not be cordoned .* no taints/);
    isRefused = false;
    await world.timeline.until(() => nodeObjectOf(world, leaving)?.spec?.unschedulable === true, {
      withinSeconds: 60,
      what: 'the cordon',
    });
    await request(world, 'DELETE', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/held');
    await untilGone(world, leaving, 180);
    expect(runningPods(world, 'held')).toBe(6);
    await world.timeline.pass(300);
    expect(messagesLeft(world)).toEqual([]);
  });

  it('an AWS Health event of another service starts nothing and parks nothing (NTH #293, #550)', async () => {
    const world = createDroverWorld();
    const [staying = ''] = await withWorkers(world, { size: 1 });
    const before = world.invocations.length;
    world.account.events.putAwsEvent({
      source: 'aws.health',
      detailType: 'AWS Health Event',
      resources: [staying],
      detail: {
        service: 'ES',
        eventTypeCode: 'AWS_ES_SECURITY_NOTIFICATION',
        eventTypeCategory: 'accountNotification',
        affectedEntities: [{ entityValue: staying }],
      },
    });
    await world.timeline.pass(30);
    expect(world.invocations.slice(before)).not.toContain('intake');
    expect(messagesLeft(world)).toEqual([]);
    expect(markOf(world, staying)).toBeUndefined();
  });
});
