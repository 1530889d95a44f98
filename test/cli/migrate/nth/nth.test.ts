import { describe, expect, it } from 'vitest';
import { membersOf, terminate } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';
import { handedOver, handler, managedTag, nthWorld, putHook, tagGroup } from './world.ts';

const unchanged = 'nothing was changed: give --apply to do it\n';

describe('drover migrate nth', () => {
  it('prints the settings and the steps of each group, and changes nothing', async () => {
    const world = await nthWorld();
    const before = handedOver(world);
    const { code, out, err } = await operatorOf(world)('migrate nth');
    expect([code, err]).toEqual([0, unchanged]);
    expect(out).toContain(
      'AWS Node Termination Handler: Deployment kube-system/aws-node-termination-handler, queue mode, by the tag of instances\n',
    );
    expect(out).toMatch(/nodeTerminationGracePeriod +120 +differs/);
    const order = [
      'drover.dev/migrated-nth',
      'drover.dev/role=worker; drover.dev/drain-timeout=5m; drover.dev/drain-on-rebalance=true',
      'a hook on terminating instances: heartbeat timeout 5m, default result CONTINUE',
      'are awaited',
      'hook my-k8s-term-hook on terminating instances is deleted',
      `tag ${managedTag} of the group is deleted`,
      `tag ${managedTag} of 2 instances is taken`,
      'aws events delete-rule --name MyK8sASGTermRule',
      'aws sqs delete-queue --queue-url',
    ];
    expect(order.map((text) => out.indexOf(text)).toSorted((one, other) => one - other)).toEqual(
      order.map((text) => out.indexOf(text)),
    );
    expect(order.filter((text) => !out.includes(text))).toEqual([]);
    expect(handedOver(world)).toEqual(before);
  });

  it('prints the same as JSON', async () => {
    const { code, out } = await operatorOf(await nthWorld())('migrate nth --json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      done: false,
      settings: expect.arrayContaining([expect.objectContaining({ setting: 'workers', value: '10' })]),
      access: [{ subject: 'rights of Drover in the cluster' }],
      groups: [
        {
          autoScalingGroupName: 'workers',
          steps: ['record', 'adopt', 'adopt', 'await', 'delete-hook', 'delete-tags', 'take-tag'].map((kind) =>
            expect.objectContaining({ kind }),
          ),
        },
      ],
      refusals: [],
    });
  });

  it('plans the hook on launching instances of a handler that completes one', async () => {
    const { out } = await operatorOf(await nthWorld({ withLaunchHook: true }))('migrate nth');
    expect(out).toContain('hook drover-node-joining of workers');
    expect(out).toContain('hook my-k8s-launch-hook on launching instances is deleted');
  });

  it('names the instances that are awaited first', async () => {
    const world = await nthWorld();
    const [{ InstanceId: id = '' } = {}] = membersOf(world);
    terminate(world, id);
    await world.timeline.pass(5);
    const { out } = await operatorOf(world)('migrate nth');
    expect(out).toContain(`${id} is in Terminating:Wait is awaited`);
  });

  it.each([
    [{ CHECK_TAG_BEFORE_DRAINING: 'false' }, 'checkTagBeforeDraining is false'],
    [{ ENABLE_SQS_TERMINATION_DRAINING: 'false' }, 'in IMDS mode each of its pods drains its own node'],
  ])('refuses with %j to hand over one group, unless both may drain', async (env, reason) => {
    const drover = operatorOf(await nthWorld({ env }));
    const refused = await drover('migrate nth --group workers');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(reason);
    expect(refused.out).toContain('--both-drain');
    const planned = await drover('migrate nth --group workers --both-drain');
    expect(planned).toMatchObject({ code: 0, err: unchanged });
    expect(planned.out).toContain('both drain the nodes of these groups until you uninstall');
    expect(planned.out).toContain('a hook on terminating instances');
  });

  it('refuses a group with several hooks that may be the handler’s, until one is named', async () => {
    const world = await nthWorld();
    putHook(world, 'backup', 'TERMINATING', { heartbeatTimeoutSeconds: 60, defaultResult: 'CONTINUE' });
    const drover = operatorOf(world);
    const refused = await drover('migrate nth');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('may be the handler’s: my-k8s-term-hook, backup'),
    });
    const planned = await drover('migrate nth --hook my-k8s-term-hook');
    expect(planned.out).toContain('hook my-k8s-term-hook on terminating instances is deleted');
    expect(planned.out).not.toContain('hook backup on terminating');
  });

  it('refuses without a handler in the cluster, and then reads values of its chart', async () => {
    const world = await nthWorld();
    world.kubernetes.registry.delete('deployments.apps', handler(''));
    const files = { 'values.yaml': 'enableSqsTerminationDraining: true\nqueueURL: ""\n' };
    const drover = operatorOf(world, { files });
    expect(await drover('migrate nth')).toMatchObject({
      code: 1,
      err: expect.stringContaining('give --values FILE'),
    });
    const planned = await drover('migrate nth --values values.yaml');
    expect(planned).toMatchObject({ code: 0, err: unchanged });
    expect(planned.out).toContain('drover.dev/drain-on-rebalance is not set');
  });

  it('refuses a group that the handler does not drain, and one that does not exist', async () => {
    const world = await nthWorld({ env: { MANAGED_TAG: 'nth/prod' } });
    tagGroup(world, 'nth/other', '');
    world.account.autoScaling.operations.DeleteLifecycleHook({
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'my-k8s-term-hook',
    });
    const { code, err } = await operatorOf(world)('migrate nth --group workers missing');
    expect(code).toBe(1);
    expect(err).toContain('does not drain it');
    expect(err).toContain('missing: there is no Auto Scaling group of this name');
  });
});
