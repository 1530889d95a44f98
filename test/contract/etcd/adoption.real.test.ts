import { setTimeout as sleep } from 'node:timers/promises';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { sendHttps } from '@drover/cloud-sandbox/real/https.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../cli/program.ts';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { domain, zoneId } from '../../../local/world/etcd/etcd-world.ts';
import { deleteMark } from '../../support/etcd/operator.ts';
import { createRealDroverWorld, type RealDroverWorld } from '../../support/etcd/real-drover-world.ts';

const reason = chosenEtcd.isInstalled
  ? whyNoNameServer()
  : `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`;

interface Plan {
  readonly clusterId: string;
  readonly members: readonly {
    readonly id: string;
    readonly instanceId: string;
    readonly leads: boolean;
    readonly peerUrls: readonly string[];
  }[];
  readonly steps: readonly {
    readonly id: string;
    readonly is: string;
    readonly commands: readonly string[];
  }[];
  readonly refusals: readonly { readonly subject: string; readonly reason: string }[];
}

const groupOf = ({ account }: RealDroverWorld) =>
  account.autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: ['etcd'] })
    .AutoScalingGroups[0];

const addressesIn = ({ account }: RealDroverWorld, ids: readonly string[]): readonly string[] =>
  (account.ec2.operations.DescribeInstances({ InstanceIds: [...ids] }).Reservations ?? []).flatMap(
    ({ Instances = [] }) => Instances.map(({ PrivateIpAddress = '' }) => PrivateIpAddress),
  );

/** `drover etcd` with the kubeconfig of the cluster; port 2380 of the members is reached as port 2379 is. */
function operatorOf({ account, doors, kubernetes, addressOf }: RealDroverWorld) {
  const user = account.iam.putUser({
    userName: 'ana',
    policies: [{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }],
  });
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod',
    contexts: [{ name: 'prod', context: { cluster: 'prod', user: 'ana' } }],
    clusters: [{ name: 'prod', cluster: { server: 'https://kubernetes.sandbox' } }],
    users: [{ name: 'ana', user: { token: kubernetes.adminToken } }],
  });
  const door = doors('operator');
  return async (words: readonly string[]) => {
    const written = { out: '', err: '' };
    // Route 53 takes five calls a second from an account, passes included.
    await sleep(500);
    const code = await runCli(['etcd', ...words, '--cluster', 'drover'], {
      environment: {
        AWS_REGION: account.region,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        DROVER_ETCD_DOMAIN: domain,
        DROVER_ETCD_ZONE_ID: zoneId,
        KUBECONFIG: '/kubeconfig',
      },
      homeDirectory: '/nowhere',
      clock: { now: () => Date.now(), after: () => ({ cancel: () => undefined }) },
      pause: (milliseconds) => sleep(milliseconds),
      stdout: { write: (text) => void (written.out += text), isTerminal: false },
      stderr: { write: (text) => void (written.err += text), isTerminal: false },
      readFile: () => Promise.resolve(kubeconfig),
      runProgram: () => Promise.reject(new Error('no program here')),
      ...door,
      sendHttp: (request) => {
        const url = new URL(request.url);
        if (url.port !== '2380') return door.sendHttp(request);
        url.hostname = addressOf(url.hostname);
        return sendHttps({ ...request, url: url.href });
      },
    });
    return { code, ...written };
  };
}

/** One after the other on the same cluster. */
describe.skipIf(reason !== undefined)(
  `the guide to adopt an etcd that exists, with etcd ${chosenEtcd.version}${reason ? `: ${reason}` : ''}`,
  () => {
    let world: RealDroverWorld;
    let drover: ReturnType<typeof operatorOf>;
    let ids: readonly string[] = [];

    const plan = async (): Promise<Plan & { readonly code: number }> => {
      const { code, out, err } = await drover(['adopt', 'etcd', '--plan', '--json']);
      if (out === '') throw new Error(err);
      return { code, ...(JSON.parse(out) as Plan) };
    };
    /** `etcdctl member update ID --peer-urls=URL`, over the gateway of a member. */
    const updateMember = async (hexadecimal: string, peerUrl: string): Promise<void> => {
      const [address = ''] = addressesIn(world, ids);
      const { status, body } = await sendHttps({
        method: 'POST',
        url: `https://${world.addressOf(address)}:2379/v3/cluster/member/update`,
        headers: {},
        body: JSON.stringify({ ID: String(BigInt(`0x${hexadecimal}`)), peerURLs: [peerUrl] }),
        timeoutMilliseconds: 10_000,
        tls: { ...world.credentials, serverName: `${ids[0]}.${domain}` },
      });
      if (status !== 200) throw new Error(`${status} ${body}`);
    };

    beforeAll(async () => {
      world = await createRealDroverWorld(chosenEtcd);
      drover = operatorOf(world);
      addEtcdGroup(world, { size: 3, heartbeatTimeoutSeconds: 3600 });
      const isWhole = (): boolean => {
        const instances = groupOf(world)?.Instances ?? [];
        return (
          instances.length === 3 && instances.every(({ LifecycleState }) => LifecycleState === 'InService')
        );
      };
      await world.until(isWhole, { withinSeconds: 180, what: 'three members in service' });
      ids = (groupOf(world)?.Instances ?? []).map(({ InstanceId = '' }) => InstanceId).toSorted();
      // As if the cluster was formed without Drover: no tags, no hooks, no mark, and addresses as peer URLs.
      const { operations } = world.account.autoScaling;
      for (const { Key = '' } of groupOf(world)?.Tags ?? [])
        operations.DeleteTags({ Tags: [{ ResourceId: 'etcd', ResourceType: 'auto-scaling-group', Key }] });
      for (const hook of ['drover-etcd', 'drover-etcd-launch'])
        operations.DeleteLifecycleHook({ AutoScalingGroupName: 'etcd', LifecycleHookName: hook });
      deleteMark(world);
      for (const { id, instanceId } of (await plan()).members) {
        const [address = ''] = addressesIn(world, [instanceId]);
        await updateMember(id, `https://${world.addressOf(address)}:2380`);
      }
    }, 240_000);
    afterAll(async () => {
      await world.close();
      expect(world.problems).toEqual([]);
    });

    it('reads members, the leader and certificates, and orders the steps', async () => {
      const { code, refusals, steps, members } = await plan();
      expect([code, refusals]).toEqual([1, []]);
      expect(members.map(({ instanceId }) => instanceId).toSorted()).toEqual(ids);
      const leader = members.filter(({ leads }) => leads);
      expect(leader).toHaveLength(1);
      const urls = steps.filter(({ id }) => id.startsWith('peer-url/'));
      expect(urls.map(({ id }) => id).at(-1)).toBe(`peer-url/${leader[0]?.id}`);
      expect(urls).toHaveLength(3);
      // The members of this test have certificates that name their hosts, as kubeadm's have.
      const certificates = steps.filter(({ id }) => id.startsWith('certificates/'));
      expect(certificates.map(({ is }) => is)).toEqual(
        members.map(() =>
          expect.stringMatching(/^the peer certificate has the common name i-\w+, and new members/),
        ),
      );
    });

    it('has no peer URL left after its commands, one member at a time, each followed by a healthy cluster', {
      timeout: 60_000,
    }, async () => {
      for (let left = 3; left > 0; left -= 1) {
        const { steps, refusals } = await plan();
        expect(refusals).toEqual([]);
        const urls = steps.filter(({ id }) => id.startsWith('peer-url/'));
        expect(urls).toHaveLength(left);
        const [, id = '', url = ''] =
          /^etcdctl member update (\w+) --peer-urls=(\S+)$/.exec(urls[0]?.commands[0] ?? '') ?? [];
        await updateMember(id, url);
      }
      const { steps, refusals } = await plan();
      expect(refusals).toEqual([]);
      expect(steps.filter(({ id }) => id.startsWith('peer-url/') || id === 'names')).toEqual([]);
    });

    it('is refused while a member is down, and goes on once it is back', { timeout: 60_000 }, async () => {
      const [down = ''] = ids;
      await world.members.kill(down);
      const { code, steps, refusals } = await plan();
      expect([code, steps]).toEqual([1, []]);
      expect(refusals.map(({ subject }) => subject)).toContain(down);
      await world.members.start(down);
      await expect.poll(async () => (await plan()).refusals, { timeout: 30_000 }).toEqual([]);
    });

    it('ends with the mark: etcd adopt takes the cluster once tags and hooks are there', {
      timeout: 60_000,
    }, async () => {
      const { operations } = world.account.autoScaling;
      const tag = { ResourceId: 'etcd', ResourceType: 'auto-scaling-group' };
      operations.CreateOrUpdateTags({
        Tags: [
          { ...tag, Key: 'kubernetes.io/cluster/drover', Value: 'owned', PropagateAtLaunch: true },
          { ...tag, Key: 'drover.dev/role', Value: 'etcd', PropagateAtLaunch: false },
        ],
      });
      const before = await plan();
      const { code, out, err } = await drover(['adopt', '--cluster-id', before.clusterId]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(`cluster ${before.clusterId} is now the cluster of this domain`);
      const left = (await plan()).steps.map(({ id }) => id);
      expect(left).not.toContain('mark');
      expect(left).not.toContain('tags/etcd');
    });
  },
);
