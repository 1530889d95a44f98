import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import { createRandom, type Random } from '@drover/cloud-sandbox/simulation';
import { addEtcdGroup } from '../../../local/etcd-group.ts';
import { type DroverWorld, membersOf, terminate } from '../../../local/world/drover-world.ts';
import { clustersOf, createEtcdDroverWorld } from '../../../local/world/etcd/etcd-world.ts';
import { inService, markIn, untilWhole } from '../../../local/world/etcd/expectations.ts';
import { quorumOf } from '../../../shared/etcd/next-step.ts';
import { createBesideWorld } from './beside-api-servers.ts';
import { deleteMark, operatorInTime } from './operator.ts';
import { rollEtcd, watchTakes } from './rolled-life.ts';

/** In one life of four the members are beside API servers, which serve only while these have a quorum. */
const hasApiServers = (seed: number): boolean => seed % 4 === 0;

/** The life broke a rule of the design. */
export class EtcdViolation extends Error {
  override readonly name = 'EtcdViolation';
}

const events = [
  'terminate',
  'kill',
  'restart',
  'terminate-all',
  'resize',
  'operator',
  'lost-mark',
  'learner',
  'roll',
  'roll',
] as const;

/** What changes the data or the members by hand is drawn for etcd without API servers. */
const besideEvents = ['terminate', 'kill', 'restart', 'roll', 'roll'] as const;

/**
 * One seeded life of a control plane: bootstrapped, then replaced, rolled, killed and resized while calls fail, hang and come late, and while an
 * operator runs commands at wrong moments. Throws
 * an EtcdViolation if a rule is broken, or if the cluster is not whole four simulated hours after an event. Each call that hangs
 * costs three minutes.
 */
export async function liveEtcd(seed: number): Promise<void> {
  const random = createRandom(seed);
  const watch = createWatch();
  const weather = {
    strike: strikes(random),
    latencyMilliseconds: () => random.integer(0, 300),
    onCall: (call: CallInFlight) => watch.onCall(call, world),
  };
  const isBeside = hasApiServers(seed);
  let size = isBeside ? 3 : random.pick([1, 3, 3, 5]);
  const world: DroverWorld = isBeside
    ? createBesideWorld(size, { weather })
    : createEtcdDroverWorld({ seed, duplicateChance: 0.2, weather });
  if (!isBeside) addEtcdGroup(world, { size, heartbeatTimeoutSeconds: 1800 });
  for (let round = 0; round <= random.integer(1, 4); round += 1) {
    await untilWholeAndLawful(world, size, watch);
    const event = random.pick(isBeside ? besideEvents : events);
    size = await happen(world, event, { random, size, watch });
    if (!isBeside && random.next() < 0.3) await operate(world, random);
    await world.timeline.pass(random.integer(1, 400));
  }
  await untilWholeAndLawful(world, size, watch);
}

/** One call in twenty goes wrong somehow. */
const strikes =
  (random: Random) =>
  ({ caller }: CallInFlight): Strike | undefined => {
    if (!['etcd-membership', 'intake', 'roll'].includes(caller)) return undefined;
    if (random.next() > 0.05) return undefined;
    return { kind: random.pick(['fail-before', 'fail-after', 'kill-before', 'kill-after'] as const) };
  };

interface Life {
  readonly random: Random;
  readonly size: number;
  readonly watch: Watch;
}

/** @returns the size of the cluster from now on. */
async function happen(
  world: DroverWorld,
  event: (typeof events)[number],
  { random, size, watch }: Life,
): Promise<number> {
  const all = inService(world);
  const one = random.pick([...all]);
  switch (event) {
    case 'terminate':
      terminate(world, one);
      return size;
    case 'terminate-all':
      for (const instanceId of all) terminate(world, instanceId);
      return size;
    case 'kill':
      // Killing the only member loses its data, which an operator must repair.
      if (size > 1) world.account.ec2.accidents.kill(one);
      return size;
    case 'restart':
      world.etcd.world.kill(one);
      world.clock.after(random.integer(1, 120) * 1000, () => world.etcd.world.start(one));
      return size;
    case 'resize': {
      const next = random.pick([1, 3, 5]);
      world.account.autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: 'etcd',
        DesiredCapacity: next,
      });
      return next;
    }
    case 'operator':
      await operate(world, random);
      return size;
    case 'learner':
      await answerAsLearner(world, random, one);
      return size;
    case 'lost-mark':
      await loseMark(world, random, one);
      return size;
    case 'roll':
      await rollEtcd(world, random, () => watch.check(world));
      return size;
  }
}

/** Commands that must change nothing for the worse while a cluster lives, whatever just happened to it. */
async function operate(world: DroverWorld, random: Random): Promise<void> {
  const clusterId = idIn(world);
  await operatorInTime(world)(
    random.pick([
      `rebirth --cluster-id ${clusterId}`,
      `rebirth --cluster-id ${clusterId} --dns-only`,
      'rebirth --forming',
      'cleanup',
      'adopt --cluster-id bad',
      `adopt --cluster-id ${clusterId}`,
    ]),
  );
}

/** An operator deletes the mark, an instance leaves, and minutes later the cluster is adopted. */
async function loseMark(world: DroverWorld, random: Random, leaving: string): Promise<void> {
  const clusterId = idIn(world);
  deleteMark(world);
  terminate(world, leaving);
  await world.timeline.pass(random.integer(60, 900));
  if (inGroup(world, leaving) === undefined)
    throw new EtcdViolation(`${leaving} was let go while the domain had no mark and it voted`);
  const adopted = await operatorInTime(world)(`adopt --cluster-id ${clusterId}`);
  if (adopted.exitCode !== 0) throw new EtcdViolation(`the cluster could not be adopted: ${adopted.stderr}`);
}

/**
 * A member answers as a learner although the list says that it votes (etcd-io/etcd#18347), perhaps while another one is replaced, until
 * the operator restarts etcd there. Drover reports it, and neither removes the member nor takes it for one that serves.
 */
async function answerAsLearner(world: DroverWorld, random: Random, instanceId: string): Promise<void> {
  const found = world.etcd.world.running().find((one) => one.instanceId === instanceId);
  if (!found?.serves || found.leads || found.members.length < 3) return;
  world.etcd.world.supposeLearner(instanceId);
  const [other] = inService(world).filter((id) => id !== instanceId);
  if (other !== undefined && random.next() < 0.5) terminate(world, other);
  await world.timeline.pass(random.integer(1200, 2400));
  const { members = [] } = world.etcd.world.running().find((one) => one.instanceId === instanceId) ?? {};
  if (!members.some(({ id }) => id === found.memberId))
    throw new EtcdViolation(`${instanceId} was removed because it answers as a learner`);
  const problem = lastProblemOfMembers(world);
  if (!problem?.includes(`${instanceId}: the list of members says that its member votes`))
    throw new EtcdViolation(`no problem names ${instanceId}: ${problem}`);
  world.etcd.world.kill(instanceId);
  world.etcd.world.start(instanceId);
}

/** The problem that the last pass has reported which asked the members: others wait for Route 53. */
const lastProblemOfMembers = ({ lines }: DroverWorld): string | undefined =>
  lines
    .flatMap(({ work, facts }) => {
      const { members, problem } = (facts ?? {}) as { readonly members?: number; readonly problem?: string };
      return work === 'etcd-membership' && members !== undefined ? [problem] : [];
    })
    .at(-1);

const idIn = (world: DroverWorld): string => BigInt([...clustersOf(world).keys()][0] ?? 0).toString(16);

const inGroup = (world: DroverWorld, instanceId: string) =>
  membersOf(world, 'etcd').find(({ InstanceId }) => InstanceId === instanceId);

type Watch = ReturnType<typeof createWatch>;

function createWatch() {
  let clusterId: string | undefined;
  let firstSet: readonly string[] = [];
  let finding: string | undefined;
  const takes = watchTakes();
  return {
    /** An error that is thrown here would be one of the call, which the function handles: `check` throws it. */
    onCall: (call: CallInFlight, world: DroverWorld) => {
      const isRemoval = call.to === 'etcd' && call.what.endsWith('/member/remove');
      finding ??= isRemoval ? findRemoval(world) : takes.onCall(call, world);
    },
    /** Checks the current state of the world. */
    check: (world: DroverWorld) => {
      if (finding !== undefined) throw new EtcdViolation(finding);
      takes.look(world);
      const ids = [...clustersOf(world).keys()];
      if (ids.length > 1) throw new EtcdViolation(`there are ${ids.length} clusters`);
      const [id] = ids;
      if (id !== undefined && clusterId !== undefined && id !== clusterId)
        throw new EtcdViolation(`cluster ${clusterId} became ${id}`);
      clusterId ??= id;
      const mark = markIn(world);
      if (typeof mark === 'object' && mark.birth.kind === 'forming') firstSet = mark.birth.set;
      checkStates(world, firstSet);
    },
  };
}

/** Only members of the first set ever start as new. */
function checkStates(world: DroverWorld, firstSet: readonly string[]): void {
  for (const { InstanceId = '' } of membersOf(world, 'etcd')) {
    const state = world.account.ssm.controls.value(`/drover/drover/etcd/members/${InstanceId}`);
    if (state?.includes('"state":"new"') && firstSet.length > 0 && !firstSet.includes(InstanceId))
      throw new EtcdViolation(`${InstanceId} was published as new`);
  }
}

/** A removal needs a cluster in which a majority of the members that vote serves clients. */
function findRemoval(world: DroverWorld): string | undefined {
  const serving = world.etcd.world.running().filter((one) => one.serves);
  const voters = serving[0]?.members.filter(({ isLearner }) => !isLearner) ?? [];
  const votes = voters.filter(({ id }) => serving.some(({ memberId }) => memberId === id)).length;
  return votes < quorumOf(voters.length) || votes === 0
    ? `a member is removed while ${votes} of ${voters.length} serve`
    : undefined;
}

async function untilWholeAndLawful(world: DroverWorld, size: number, watch: Watch): Promise<void> {
  await untilWhole(world, size, { withinSeconds: 14_400, onLook: () => watch.check(world) });
}
