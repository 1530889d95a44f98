import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../cli/program.ts';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { domain, zoneId } from '../../../local/world/etcd/etcd-world.ts';
import { markIn } from '../../../local/world/etcd/expectations.ts';
import { deleteMark } from '../../support/etcd/operator.ts';
import { createRealDroverWorld, type RealDroverWorld } from '../../support/etcd/real-drover-world.ts';

const reason = chosenEtcd.isInstalled
  ? whyNoNameServer()
  : `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`;

const listed = ({ account }: RealDroverWorld) =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['etcd'] })
    .AutoScalingGroups[0]?.Instances ?? [];

const inService = (world: RealDroverWorld): readonly string[] =>
  listed(world)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId)
    .toSorted();

const bornId = (world: RealDroverWorld): string | undefined => {
  const mark = markIn(world);
  return typeof mark === 'object' && mark.birth.kind === 'born' ? mark.birth.clusterId : undefined;
};

/** `drover etcd` for an operator who may do everything. */
function operatorOf({ account, doors }: RealDroverWorld) {
  const user = account.iam.putUser({
    userName: 'ana',
    policies: [{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }],
  });
  return async (line: string) => {
    const written = { out: '', err: '' };
    const code = await runCli(['etcd', ...line.split(' '), '--cluster', 'drover'], {
      environment: {
        AWS_REGION: account.region,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        DROVER_ETCD_DOMAIN: domain,
        DROVER_ETCD_ZONE_ID: zoneId,
      },
      homeDirectory: '/nowhere',
      clock: { now: () => Date.now(), after: () => ({ cancel: () => undefined }) },
      pause: () => Promise.resolve(),
      stdout: { write: (text) => void (written.out += text), isTerminal: false },
      stderr: { write: (text) => void (written.err += text), isTerminal: false },
      readFile: () => Promise.reject(new Error('no file here')),
      runProgram: () => Promise.reject(new Error('no program here')),
      ...doors('operator'),
    });
    return { code, ...written };
  };
}

/** One after the other on the same cluster. */
describe.skipIf(reason !== undefined)(
  `operators of Drover with etcd ${chosenEtcd.version}${reason ? `: ${reason}` : ''}`,
  () => {
    let world: RealDroverWorld;
    let drover: ReturnType<typeof operatorOf>;
    let clusterId = '';
    const isWhole = (): boolean => inService(world).length === 3 && listed(world).length === 3;
    beforeAll(async () => {
      world = await createRealDroverWorld(chosenEtcd);
      drover = operatorOf(world);
      addEtcdGroup(world, { size: 3, heartbeatTimeoutSeconds: 3600 });
      await world.until(isWhole, { withinSeconds: 180, what: 'three members in service' });
      clusterId = bornId(world) ?? '';
    }, 200_000);
    afterAll(async () => {
      await world.close();
      expect(world.problems).toEqual([]);
    });

    it('cannot declare a cluster that answers lost', async () => {
      const { code, err } = await drover(`rebirth --cluster-id ${clusterId}`);
      expect([code, err]).toEqual([1, expect.stringMatching(/etcd answers on .* the cluster is not lost/)]);
      expect(bornId(world)).toBe(clusterId);
    });

    it('adopt a cluster whose mark was deleted; until then no voter is let go', {
      timeout: 300_000,
    }, async () => {
      const [leaving = ''] = inService(world);
      deleteMark(world);
      world.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: leaving,
        ShouldDecrementDesiredCapacity: false,
      });
      const isSaid = (): boolean =>
        world.lines.some((line) => JSON.stringify(line).includes('completes no hook'));
      await world.until(isSaid, { withinSeconds: 150, what: 'a pass without the mark' });
      expect(listed(world).map(({ InstanceId }) => InstanceId)).toContain(leaving);
      expect(await drover(`adopt --cluster-id ${clusterId}`)).toMatchObject({ code: 0 });
      const isReplaced = (): boolean => isWhole() && !inService(world).includes(leaving);
      await world.until(isReplaced, { withinSeconds: 200, what: `${leaving} replaced` });
      expect(bornId(world)).toBe(clusterId);
    });

    it('give up members by name, and another cluster forms on the same instances', {
      timeout: 300_000,
    }, async () => {
      const members = inService(world);
      for (const instanceId of members) await world.members.kill(instanceId);
      const rebirth = `rebirth --cluster-id ${clusterId}`;
      const { code, err } = await drover(rebirth);
      expect([code, err]).toEqual([1, expect.stringMatching(/still exist, and may serve/)]);
      for (const instanceId of members) {
        world.members.wipe(instanceId);
        await world.members.start(instanceId);
      }
      expect(await drover(`${rebirth} --give-up ${members.join(' ')}`)).toMatchObject({ code: 0 });
      const isReborn = (): boolean => ![undefined, clusterId].includes(bornId(world));
      await world.until(isReborn, { withinSeconds: 240, what: 'the next cluster' });
      expect(inService(world)).toEqual(members);
    });
  },
);
