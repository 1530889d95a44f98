import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { clusterName, type DroverWorld, nodesOf } from '../../local/world/drover-world.ts';
import { domain, zoneId } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastProblem, untilWhole } from '../../local/world/etcd/expectations.ts';
import { apiServersOf, createBesideWorld, idsOf } from '../support/etcd/beside-api-servers.ts';
import { operatorInTime } from '../support/etcd/operator.ts';
import { commandsIn, runAsRoot } from '../support/etcd/root-shell.ts';

const bucket = 'snapshots';
const dataDirectory = '/var/lib/drover-etcd/data';

/** What a reader of the example types, with the names of the world instead of those of the example. */
function documented(left: string) {
  const [, section = ''] = readFileSync('examples/etcd-beside/README.md', 'utf8').split(
    '## Two of three members are lost\n',
  );
  const [, block = ''] = section.split(/```(?:sh)?\n/);
  const typed = block
    .replaceAll('i-0123456789abcdef0', left)
    .replace('DROVER_CLUSTER=prod', `DROVER_CLUSTER=${clusterName}`)
    .replace('etcd.prod.example.com', domain)
    .replace('Z0123456789ABCDEFGHIJ', zoneId)
    .replace('prod-etcd-snapshots', bucket);
  const exported = commandsIn(typed).filter((command) => command.startsWith('export '));
  const pairs = exported.flatMap((command) =>
    command
      .split(/\s+/)
      .slice(1)
      .map((pair) => pair.split('=')),
  );
  const environment = Object.fromEntries(pairs) as Record<string, string>;
  const lines = commandsIn(typed).filter((command) => command.startsWith('drover etcd '));
  return { environment, lines: lines.map((line) => line.replace('drover etcd ', '')) };
}

/** The commands that `drover etcd restore` prints, in its three groups. */
const printed = (text: string): readonly (readonly string[])[] =>
  text
    .split(/^# \d\. /m)
    .slice(1)
    .map((part) => commandsIn(`# ${part}`));

/** Loses so many instances for good at once. Returns those that are left, once Auto Scaling has launched as many new ones. */
async function lose(world: DroverWorld, count: number): Promise<readonly string[]> {
  const size = inService(world).length;
  const lost = inService(world).slice(0, count);
  const left = inService(world).slice(count);
  for (const instanceId of lost) world.account.ec2.accidents.kill(instanceId);
  await world.timeline.until(
    () => inService(world).join() === left.join() && idsOf(world).length === size + count,
    { withinSeconds: 1200, what: 'instances that launch for those that are lost' },
  );
  await world.timeline.pass(300);
  return left;
}

const keys = { kept: 'before the snapshot', lost: 'after it' } as const;

/** Asks the etcd on an instance for keys, as its API server does. */
async function ask(
  { etcd, account }: DroverWorld,
  { instanceId, path, ...body }: { readonly instanceId: string; readonly path: string; readonly key: string },
): Promise<string> {
  const { Reservations = [] } = account.ec2.operations.DescribeInstances({ InstanceIds: [instanceId] });
  const answer = await etcd.send({
    method: 'POST',
    url: `https://${Reservations[0]?.Instances?.[0]?.PrivateIpAddress}:2379/v3/kv/${path}`,
    headers: {},
    body: JSON.stringify({ ...body, key: btoa(body.key), value: btoa('a Secret') }),
    timeoutMilliseconds: 5000,
  });
  if (answer.status !== 200) throw new Error(answer.body);
  return answer.body;
}

const put = (world: DroverWorld, key: string): Promise<string> =>
  ask(world, { instanceId: inService(world)[0] ?? '', path: 'put', key });

const has = async (world: DroverWorld, instanceId: string, key: string): Promise<boolean> =>
  (await ask(world, { instanceId, path: 'range', key })).includes(btoa('a Secret'));

/** A cluster with a snapshot, and one key written before and one after it. */
async function bornWith(size: number) {
  const world = createBesideWorld(size, { snapshotBucket: bucket });
  const clusterId = BigInt(await untilWhole(world, size)).toString(16);
  await world.timeline.until(() => nodesOf(world).length === size, {
    withinSeconds: 300,
    what: 'a node for each instance',
  });
  await put(world, keys.kept);
  await world.timeline.pass(2400);
  await put(world, keys.lost);
  return { world, clusterId };
}

/** A folder that is gone when the test is over. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'drover-restore-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each([
  [3, 2],
  [5, 3],
])(
  'of %i members, %i lost for good, is whole again after the commands of the example',
  async (size, count) => {
    const { world, clusterId } = await bornWith(size);
    const [left = '', ...others] = await lose(world, count);
    expect(apiServersOf(world)).toEqual([]);

    const { environment, lines } = documented(left);
    const [status = '', snapshots = '', restore = ''] = lines;
    const drover = operatorInTime(world, { environment });
    expect(await drover(status)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(new RegExp(`${left} .*unhealthy.*has no quorum`)),
    });
    expect(await drover(snapshots)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(clusterId),
    });
    const restored = await drover(`${restore} --out ${join(temporaryFolder(), 'snapshot.db')}`);
    expect([restored.exitCode, restored.stderr]).toEqual([0, '']);
    const [onInstance = [], [adopt = ''] = [], onOthers = []] = printed(restored.stdout);
    for (const instanceId of others) runAsRoot(world, { instanceId, dataDirectory }, ['systemctl stop etcd']);
    runAsRoot(world, { instanceId: left, dataDirectory }, onInstance);
    await world.timeline.pass(10);
    expect(apiServersOf(world)).toEqual([left]);

    // However late the operator says so: until then no pass changes anything.
    await world.timeline.pass(900);
    expect(lastProblem(world)).toContain(
      `the one that was born here is ${clusterId}: Drover changes nothing`,
    );
    expect(await drover(adopt.replace('drover etcd ', ''))).toMatchObject({ exitCode: 0 });
    for (const instanceId of others) runAsRoot(world, { instanceId, dataDirectory }, onOthers);
    const after = await untilWhole(world, size, { withinSeconds: 7200 });
    expect(adopt).toContain(`--cluster-id ${BigInt(after).toString(16)}`);
    expect(idsOf(world)).toEqual(expect.arrayContaining([left, ...others]));
    expect(await drover(status)).toMatchObject({ exitCode: 0 });
    expect(apiServersOf(world)).toHaveLength(size);
    for (const instanceId of inService(world)) {
      expect(await has(world, instanceId, keys.kept)).toBe(true);
      expect(await has(world, instanceId, keys.lost)).toBe(false);
    }
  },
);
