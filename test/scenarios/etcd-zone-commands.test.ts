import { describe, expect, it } from 'vitest';
import type { Machine } from '../../cli/context.ts';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { clusterName, type DroverWorld, terminate } from '../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld, domain, zoneId } from '../../local/world/etcd/etcd-world.ts';
import {
  hostMarksIn,
  inService,
  markIn,
  peersIn,
  recordsIn,
  untilWhole,
} from '../../local/world/etcd/expectations.ts';
import { readMemberState } from '../../shared/etcd/member-state.ts';
import { bodyText } from '../support/body-text.ts';
import { deleteMark, editMark, operatorInTime, operatorOf } from '../support/etcd/operator.ts';

async function bornWith(size: number) {
  const world = createEtcdDroverWorld();
  addEtcdGroup(world, { size });
  const clusterId = BigInt(await untilWhole(world, size)).toString(16);
  return { world, clusterId, drover: operatorInTime(world) };
}

const onGroup = { ResourceId: 'etcd', ResourceType: 'auto-scaling-group', PropagateAtLaunch: false };

/** The state in which the instance is to start. */
const stateOf = ({ account }: DroverWorld, instanceId: string): string =>
  readMemberState(account.ssm.controls.value(`/drover/${clusterName}/etcd/members/${instanceId}`) ?? '')
    .state;

function addRecord(
  { account }: DroverWorld,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  const ResourceRecordSet = {
    Name: name,
    Type: 'SRV' as const,
    TTL: 60,
    ResourceRecords: [{ Value: value }],
  };
  account.route53.operations.ChangeResourceRecordSets({
    HostedZoneId: zoneId,
    ChangeBatch: { Changes: [{ Action: 'CREATE', ResourceRecordSet }] },
  });
}

function deleteRecords(
  { account }: DroverWorld,
  which: (record: { readonly Name?: string; readonly Type?: string }) => boolean,
): void {
  const { operations } = account.route53;
  const Changes = operations
    .ListResourceRecordSets({ HostedZoneId: zoneId })
    .ResourceRecordSets.filter(which)
    .map((ResourceRecordSet) => ({ Action: 'DELETE' as const, ResourceRecordSet }));
  operations.ChangeResourceRecordSets({ HostedZoneId: zoneId, ChangeBatch: { Changes } });
}

/** Deletes the marks of the hosts, which look like leftovers, but not the mark of the domain. */
const deleteHostMarks = (world: DroverWorld): void =>
  deleteRecords(world, ({ Name = '', Type }) => Type === 'TXT' && !Name.startsWith('_drover'));

const pause = ({ account }: DroverWorld) =>
  account.autoScaling.operations.CreateOrUpdateTags({
    Tags: [{ ...onGroup, Key: 'drover.dev/paused', Value: 'scope=group by=ana' }],
  });

describe('drover etcd status', () => {
  it('shows instances, members and records side by side', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    const { exitCode, stdout } = await drover('status');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[0]).toBe(`${domain}: ${clusterId}`);
    for (const instanceId of inService(world))
      expect(stdout).toMatch(new RegExp(`${instanceId} .*voter .*healthy 3\\.`));
  });

  it('says that members were not asked, why, and how to ask them', async () => {
    const { world, drover } = await bornWith(1);
    const given = await drover('status --dns-only');
    expect([given.exitCode, given.stdout]).toEqual([
      0,
      expect.stringContaining(
        '\nmembers were not asked: omit --dns-only and run this where the members can be reached\n',
      ),
    ]);
    const environment = { DROVER_ETCD_MODE: 'dns-only' };
    expect((await operatorInTime(world, { environment })('status')).stdout).toContain(
      '\nmembers were not asked: DROVER_ETCD_MODE is dns-only; unset it and run this where the members can be reached\n',
    );
    expect((await drover('status')).stdout).not.toContain('not asked');
  });

  it('exits with 1 if there is a problem, and names it', async () => {
    const { world, drover } = await bornWith(3);
    const [down = '', leaving = ''] = inService(world);
    world.etcd.world.kill(down);
    terminate(world, leaving);
    await world.timeline.pass(60);
    const { exitCode, stdout } = await drover('status --json');
    expect(exitCode).toBe(1);
    const { problems } = JSON.parse(stdout) as { readonly problems: readonly string[] };
    expect(problems[0]).toMatch(new RegExp(`^${leaving}: it cannot be removed`));
  });
});

describe('drover etcd plan', () => {
  it('plans nothing for a stable cluster, and the next step with its reason if a member leaves', async () => {
    const { world, drover } = await bornWith(3);
    expect((await drover('plan')).stdout).toMatch(/^no changes\n(settled .*\n)+$/);
    const [leaving = ''] = inService(world);
    world.account.autoScaling.operations.SuspendProcesses({
      AutoScalingGroupName: 'etcd',
      ScalingProcesses: ['Launch'],
    });
    terminate(world, leaving);
    const { stdout } = await drover('plan');
    expect(stdout).toContain(`- member  ${leaving}: its instance leaves`);
    expect(peersIn(world)).toContain(leaving);
  });
});

describe('drover etcd rebirth', () => {
  it('is refused while a member answers, or with another cluster id', async () => {
    const { clusterId, drover } = await bornWith(1);
    expect(await drover('rebirth --cluster-id bad')).toMatchObject({ exitCode: 1 });
    const { exitCode, stderr } = await drover(`rebirth --cluster-id ${clusterId}`);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/the cluster is not lost/);
  });

  it('is refused while instances exist that only the SRV sets name, because their marks are gone', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    pause(world);
    const members = inService(world);
    deleteRecords(world, ({ Name = '' }) => members.some((id) => Name.startsWith(id)));
    for (const instanceId of members) world.etcd.world.kill(instanceId);
    const { exitCode, stderr } = await drover(`rebirth --cluster-id ${clusterId}`);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/still exist, and may serve/)]);
    for (const instanceId of members) expect(stderr).toContain(instanceId);
  });

  it('is refused while its silent instances exist, since they may serve elsewhere, until each is given up', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    const members = inService(world);
    for (const instanceId of members) world.etcd.world.kill(instanceId);
    const line = `rebirth --cluster-id ${clusterId}`;
    const { exitCode, stderr } = await drover(line);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/still exist, and may serve/)]);
    expect(await drover(`${line} --give-up ${members[0]}`)).toMatchObject({ exitCode: 1 });
    expect(await drover(`${line} --dns-only`)).toMatchObject({ exitCode: 1 });
    const shortened = `rebirth --cluster-id ${clusterId.slice(0, -1)} --give-up ${members.join(' ')}`;
    expect((await drover(shortened)).stderr).toContain(`the cluster of this domain is ${clusterId}`);
    expect(markIn(world)).toMatchObject({ birth: { kind: 'born' } });
    expect(await drover(`${line} --give-up ${members.join(' ')}`)).toMatchObject({ exitCode: 0 });
    await world.timeline.pass(300);
    // The same function, still warm, starts the same instances as members of a new cluster.
    expect(markIn(world)).toMatchObject({ birth: { kind: 'forming' } });
    for (const instanceId of members) expect(stateOf(world, instanceId)).toBe('new');
    const again = await drover(`${line} --give-up ${members.join(' ')}`);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringMatching(/give --forming/)]);
  });

  it.each(['rebirth', 'cleanup'])(
    'and cleanup are refused if no group shows that the region is right: %s',
    async (command) => {
      const { world, clusterId, drover } = await bornWith(1);
      const [member = ''] = inService(world);
      const Tags = [{ ...onGroup, Key: `kubernetes.io/cluster/${clusterName}` }];
      world.account.autoScaling.operations.DeleteTags({ Tags });
      world.account.ec2.accidents.kill(member);
      await world.timeline.pass(4200);
      const line = command === 'rebirth' ? `rebirth --cluster-id ${clusterId}` : command;
      const { exitCode, stderr } = await drover(line);
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/check the region, the account/)]);
      expect(markIn(world)).toMatchObject({ birth: { kind: 'born' } });
      expect(await drover(`${line} --give-up ${member}`)).toMatchObject({ exitCode: 0 });
    },
  );

  it('allows a new cluster only if the old one is lost', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    for (const instanceId of inService(world)) world.account.ec2.accidents.kill(instanceId);
    await world.timeline.pass(1800);
    expect(inService(world)).toEqual([]);
    const dry = await drover(`rebirth --cluster-id ${clusterId} --dry-run`);
    expect(dry.stdout).toMatch(/nothing was changed/);
    expect(markIn(world)).toMatchObject({ birth: { kind: 'born' } });
    expect(await drover(`rebirth --cluster-id ${clusterId}`)).toMatchObject({ exitCode: 0 });
    const reborn = await untilWhole(world, 3, { withinSeconds: 3600 });
    expect(BigInt(reborn).toString(16)).not.toBe(clusterId);
  });
});

describe('drover etcd adopt', () => {
  it('records the cluster that answers as the cluster of the domain, and no other', async () => {
    const { clusterId, drover } = await bornWith(3);
    expect(await drover('adopt --cluster-id bad')).toMatchObject({ exitCode: 1 });
    const { exitCode, stdout } = await drover(`adopt --cluster-id ${clusterId}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/is now the cluster of this domain/);
  });

  it('fails if Route 53 refuses the change, and does not say that it was made', async () => {
    const { world, clusterId } = await bornWith(1);
    editMark(world, (value) => value.replace(`cluster-id=${clusterId}`, 'cluster-id=9a3f'));
    const actions = ['autoscaling:*', 'ec2:*', 'ssm:*', 'kms:*', 'route53:GetHostedZone', 'route53:List*'];
    const { code, out, err } = await operatorOf(
      world,
      actions,
    )(`adopt --cluster ${clusterName} --cluster-id ${clusterId}`);
    expect([code, err]).toEqual([1, expect.stringContaining('route53:ChangeResourceRecordSets')]);
    expect(out).not.toMatch(/is now the cluster/);
  });

  it('says what to do if a pass changes the records meanwhile, and works when it is run again', async () => {
    const { world, clusterId } = await bornWith(1);
    editMark(world, (value) => value.replace(`cluster-id=${clusterId}`, 'cluster-id=9a3f'));
    const { awsRequestHandler } = world.doors('operator');
    let isFirst = true;
    const afterAPass: Machine['awsRequestHandler'] = {
      handle: async (request, options) => {
        if (isFirst && bodyText(request.body).includes('ChangeResourceRecordSets')) {
          isFirst = false;
          // Route 53 takes five requests a second.
          await world.timeline.pass(2);
          editMark(world, (value) => value.replace(/changed=(\d+)/, 'changed=1'));
        }
        return await awsRequestHandler.handle(request, options);
      },
    };
    const run = operatorOf(world, ['*'], { awsRequestHandler: afterAPass });
    const line = `adopt --cluster ${clusterName} --cluster-id ${clusterId}`;
    const { code, out, err } = await run(line);
    await world.timeline.pass(2);
    expect([code, err]).toEqual([1, expect.stringMatching(/meanwhile.*drover etcd status.*run .*again/s)]);
    expect(out).not.toMatch(/is now the cluster/);
    expect(await run(line)).toMatchObject({ code: 0 });
    await world.timeline.pass(60);
    expect(markIn(world)).toMatchObject({ birth: { kind: 'born', clusterId } });
  });

  it('is refused for members with other peer URLs than those by name, and changes nothing', async () => {
    const { world, clusterId } = await bornWith(1);
    editMark(world, (value) => value.replace(`cluster-id=${clusterId}`, 'cluster-id=9a3f'));
    const { sendHttp } = world.doors('operator');
    const byAddress: typeof sendHttp = async (request) => {
      const answer = await sendHttp(request);
      return { ...answer, body: answer.body.replace(/https:\/\/i-[^"]+:2380/g, 'https://10.0.0.9:2380') };
    };
    const run = operatorOf(world, ['*'], { sendHttp: byAddress });
    const { code, err } = await run(`adopt --cluster ${clusterName} --cluster-id ${clusterId}`);
    expect([code, err]).toEqual([1, expect.stringContaining('etcdctl member update')]);
    await world.timeline.pass(60);
    expect(markIn(world)).toMatchObject({ birth: { clusterId: '9a3f' } });
  });

  it('takes nothing away from a living cluster whose host marks are gone, and says what is in the way', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    deleteHostMarks(world);
    await world.timeline.pass(60);
    const before = recordsIn(world);
    const { exitCode, stderr, stdout } = await drover(`adopt --cluster-id ${clusterId}`);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/is in the way: .*Nothing was changed/)]);
    expect(stdout).not.toMatch(/^-/m);
    expect(recordsIn(world)).toEqual(before);
  });

  it('publishes a member of the cluster that has lost all of its records', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    pause(world);
    const [lost = ''] = inService(world);
    deleteRecords(world, ({ Name = '' }) => Name.startsWith(lost));
    await world.timeline.pass(60);
    expect(await drover(`adopt --cluster-id ${clusterId}`)).toMatchObject({ exitCode: 0 });
    await world.timeline.pass(60);
    expect([...hostMarksIn(world).keys()].toSorted()).toEqual([...inService(world)].toSorted());
    expect(peersIn(world)).toContain(lost);
  });

  it('says what keeps it from asking the members', async () => {
    const { world, clusterId, drover } = await bornWith(1);
    const line = `adopt --cluster-id ${clusterId}`;
    expect((await drover(`${line} --dns-only`)).stderr).toMatch(/omit --dns-only/);
    for (const instanceId of inService(world)) world.etcd.world.kill(instanceId);
    const { exitCode, stderr } = await drover(line);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/no member with quorum answers this machine \(i-.*port 2379/),
    ]);
  });

  it('changes nothing if the cluster is the one of the domain already', async () => {
    const { world, clusterId, drover } = await bornWith(1);
    const before = recordsIn(world);
    expect((await drover(`adopt --cluster-id ${clusterId}`)).stdout).not.toMatch(/^[+-]/m);
    expect(recordsIn(world)).toEqual(before);
  });

  it('shows no member as new any more, although the first members were still forming the cluster', async () => {
    const world = createEtcdDroverWorld();
    addEtcdGroup(world, { size: 3 });
    const isForming = (): boolean => {
      const mark = markIn(world);
      const [serving = []] = [...clustersOf(world).values()];
      return typeof mark === 'object' && mark.birth.kind === 'forming' && serving.length === 3;
    };
    await world.timeline.until(isForming, { withinSeconds: 600, what: 'three that serve' });
    world.account.autoScaling.operations.CreateOrUpdateTags({
      Tags: [{ ...onGroup, Key: 'drover.dev/paused', Value: 'scope=group by=ana' }],
    });
    const clusterId = BigInt([...clustersOf(world).keys()][0] ?? 0).toString(16);
    const drover = operatorInTime(world);
    expect(await drover(`adopt --cluster-id ${clusterId}`)).toMatchObject({ exitCode: 0 });
    await world.timeline.pass(60);
    expect(markIn(world)).toMatchObject({ birth: { kind: 'born', clusterId } });
    expect([...hostMarksIn(world).values()].map(({ state }) => state)).toEqual(Array(3).fill('existing'));
  });
});

describe('drover etcd cleanup', () => {
  it('is refused while an instance runs, and deletes everything of Drover afterwards', async () => {
    const { world, drover } = await bornWith(1);
    const before = recordsIn(world);
    expect((await drover('cleanup')).stderr).toMatch(/still exist and need their records/);
    await world.timeline.pass(60);
    expect(recordsIn(world)).toEqual(before);
    const { operations } = world.account.autoScaling;
    operations.DeleteLifecycleHook({ AutoScalingGroupName: 'etcd', LifecycleHookName: 'drover-etcd' });
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'etcd', DesiredCapacity: 0 });
    await world.timeline.pass(600);
    expect(await drover('cleanup')).toMatchObject({ exitCode: 0 });
    await world.timeline.pass(60);
    expect(recordsIn(world).map(({ type }) => type)).toEqual(['NS', 'SOA']);
    expect((await drover('cleanup')).stdout).toMatch(/Drover has no record/);
  });

  it('is refused while a group wants members: without the mark, a lost cluster would be followed by an empty one', async () => {
    const { world, clusterId, drover } = await bornWith(3);
    const { operations } = world.account.autoScaling;
    operations.SuspendProcesses({ AutoScalingGroupName: 'etcd', ScalingProcesses: ['Launch'] });
    for (const instanceId of inService(world)) world.account.ec2.accidents.kill(instanceId);
    await world.timeline.pass(1800);
    expect(inService(world)).toEqual([]);
    const { exitCode, stderr } = await drover('cleanup');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/etcd wants 3 instances.*--desired-capacity 0/s),
    ]);
    expect(stderr).toContain('drover etcd rebirth');
    await world.timeline.pass(60);
    expect(markIn(world)).toMatchObject({ birth: { kind: 'born', clusterId } });
  });

  it('is refused while an instance that the records name runs outside the groups', async () => {
    const { world, drover } = await bornWith(1);
    const [detached = ''] = inService(world);
    world.account.autoScaling.operations.DetachInstances({
      AutoScalingGroupName: 'etcd',
      InstanceIds: [detached],
      ShouldDecrementDesiredCapacity: true,
    });
    await world.timeline.pass(60);
    expect(inService(world)).toEqual([]);
    expect((await drover('cleanup')).stderr).toContain(`${detached} still exist`);
    expect(recordsIn(world).map(({ type }) => type)).toContain('SRV');
  });

  it('is refused for a domain that belongs to another cluster, by its mark', async () => {
    const { world, drover } = await bornWith(1);
    const { operations } = world.account.autoScaling;
    operations.DeleteLifecycleHook({ AutoScalingGroupName: 'etcd', LifecycleHookName: 'drover-etcd' });
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'etcd', DesiredCapacity: 0 });
    await world.timeline.pass(600);
    editMark(world, (value) => value.replace(`cluster=${clusterName}`, 'cluster=other'));
    expect(await drover('cleanup')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`${domain} belongs to cluster other`),
    });
    await world.timeline.pass(60);
    expect(recordsIn(world).map(({ type }) => type)).toContain('TXT');
  });

  it('deletes everything of Drover where the mark was lost, and names what is not provably its own', async () => {
    const { world, drover } = await bornWith(1);
    const { operations } = world.account.autoScaling;
    operations.DeleteLifecycleHook({ AutoScalingGroupName: 'etcd', LifecycleHookName: 'drover-etcd' });
    operations.SetDesiredCapacity({ AutoScalingGroupName: 'etcd', DesiredCapacity: 0 });
    await world.timeline.pass(600);
    deleteMark(world);
    const { stdout } = await drover('cleanup');
    expect(stdout).toMatch(/^- TXT i-/m);
    expect(stdout).not.toMatch(/has no record/);
    await world.timeline.pass(60);
    expect(recordsIn(world).map(({ type }) => type)).toEqual(['NS', 'SOA']);
    addRecord(world, { name: `_etcd-server-ssl._tcp.${domain}`, value: '0 0 2380 old.example.com' });
    expect((await drover('cleanup')).stdout).toMatch(
      /has no record .*\nleft alone, because no mark says whose they are: SRV _etcd-server-ssl/,
    );
  });
});
