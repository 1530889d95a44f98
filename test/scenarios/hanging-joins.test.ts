import type { CallInFlight } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { nodeUser } from '../../local/world/certificates/requests.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { askForCertificate } from '../support/certificates/kubelet.ts';
import { inService, launchWorkers, startJoiningWorld } from '../support/joining-world.ts';
import { nodeNameOf, passesOf } from '../support/observed-instance.ts';

const size = 6;
/** A call to the API server ends after 20 s, and its pass with it. */
const turnSeconds = 25;

/** Lets six instances join, and says for each instance after how many seconds it is in service. */
async function secondsToService(
  world: DroverWorld,
  whileJoining: (second: number) => void = () => undefined,
) {
  const at = new Map<string, number>();
  for (let second = 0; second < 500 && at.size < size; second += 1) {
    whileJoining(second);
    await world.timeline.pass(1);
    for (const id of inService(world)) if (!at.has(id)) at.set(id, second);
  }
  return at;
}

interface Item {
  readonly instanceId: string;
  readonly nodeName: string;
}

const requestsResource = 'certificatesigningrequests.certificates.k8s.io';

/** Whether the call writes the verdict about a request of this instance. */
function isApprovalFor(
  { kubernetes }: DroverWorld,
  { instanceId, nodeName }: Item,
  { what }: CallInFlight,
): boolean {
  const name = /certificatesigningrequests\/([^/]+)\/approval/.exec(what)?.[1];
  const text = JSON.stringify(
    kubernetes.store
      .of(requestsResource)
      .list()
      .find(({ metadata }) => metadata?.name === name)?.spec ?? {},
  );
  return text.includes(instanceId) || text.includes(nodeName);
}

interface Fault {
  readonly name: string;
  readonly concerns: (world: DroverWorld, item: Item, call: CallInFlight) => boolean;
}

const faults: readonly Fault[] = [
  {
    name: 'reads of its Node',
    concerns: (_, { nodeName }, { what }) => what.startsWith('GET ') && what.includes(nodeName),
  },
  {
    name: 'all that names it',
    concerns: (_, { instanceId, nodeName }, { what }) => what.includes(instanceId) || what.includes(nodeName),
  },
  { name: 'verdicts about its certificate requests', concerns: isApprovalFor },
];

/** For five minutes, the calls of one of six instances that join hang, each until its own timeout. */
async function joinBeside({ concerns }: Fault) {
  let item: Item | undefined;
  let hung = 0;
  const world: DroverWorld = await startJoiningWorld({
    weather: {
      strike: (call) => {
        if (call.caller !== 'node-joining' || !item || !concerns(world, item, call)) return undefined;
        hung += 1;
        return { kind: 'hang-before' };
      },
    },
  });
  launchWorkers(world, size);
  await world.timeline.until(() => membersOf(world).length === size, { withinSeconds: 30, what: 'launches' });
  const instanceId = membersOf(world)[0]?.InstanceId ?? '';
  const [reservation] =
    world.account.ec2.operations.DescribeInstances({ InstanceIds: [instanceId] }).Reservations ?? [];
  const one = { instanceId, nodeName: reservation?.Instances?.[0]?.PrivateDnsName ?? '' };
  item = one;
  const at = await secondsToService(world, (second) => {
    if (second === 300) item = undefined;
  });
  const others = [...at].filter(([id]) => id !== instanceId).map(([, second]) => second);
  return { world, hung, own: at.get(instanceId) ?? Infinity, others, instanceId };
}

describe('a join whose calls hang', () => {
  it.each(faults)('does not delay five others by more than one turn: $name', async (fault) => {
    const undisturbed = await joinBeside({ name: '', concerns: () => false });
    const { world, hung, own, others, instanceId } = await joinBeside(fault);
    expect(hung).toBeGreaterThan(0);
    expect(others).toHaveLength(size - 1);
    expect(Math.max(...others)).toBeLessThanOrEqual(Math.max(...undisturbed.others) + turnSeconds);
    expect(own).toBeLessThan(300 + 60);
    expect(passesOf(world, instanceId).length).toBeGreaterThan(2);
    expect(world.problems).toEqual([]);
  });

  it('once, in any kind of call, delays no join by more than the time of a call and a return', async () => {
    const kindOf = (what: string): string =>
      what.replace(/\?.*/, '').replaceAll(/ip-[\w.-]+|i-[0-9a-f]{17}[\w.-]*|(?:node-)?csr-[\w-]+/g, 'X');
    const joinWith = async (struck: string | undefined) => {
      const kinds = new Set<string>();
      const world = await startJoiningWorld({
        weather: {
          strike: ({ caller, what }) => {
            const kind = kindOf(what);
            if (caller !== 'node-joining' || kinds.has(kind)) return undefined;
            kinds.add(kind);
            return kind === struck ? { kind: 'hang-before' } : undefined;
          },
        },
      });
      launchWorkers(world, size);
      const seconds = [...(await secondsToService(world)).values()];
      return { kinds, seconds, problems: world.problems };
    };
    const { kinds, seconds: usual } = await joinWith(undefined);
    expect(kinds.size).toBeGreaterThan(8);
    for (const kind of kinds) {
      const { seconds, problems } = await joinWith(kind);
      expect([kind, seconds.length, problems]).toEqual([kind, size, []]);
      expect(Math.max(...seconds), kind).toBeLessThanOrEqual(Math.max(...usual) + 2 * turnSeconds);
    }
  });
});

it('a verdict that hangs holds the certificate requests of no other node, and is given later', async () => {
  let hanging = '';
  const world: DroverWorld = createDroverWorld({
    weather: {
      strike: (call) =>
        call.caller === 'certificate-requests' && hanging !== '' && call.what.includes(`/${hanging}/approval`)
          ? { kind: 'hang-before' }
          : undefined,
    },
  });
  const ids = await withWorkers(world, { size });
  const verdicts = await Promise.all(
    ids.map((id, index) => {
      const node = nodeNameOf(world, id);
      return askForCertificate(world, {
        name: `serving-${index}`,
        user: nodeUser(node),
        signer: 'serving',
        subject: `O=system:nodes,CN=system:node:${node}`,
        dnsNames: [node],
      });
    }),
  );
  hanging = 'serving-0';
  await world.timeline.pass(61);
  expect(verdicts.map((verdict) => verdict())).toEqual(['pending', ...Array(size - 1).fill('Approved')]);
  hanging = '';
  await world.timeline.pass(121);
  expect(verdicts[0]?.()).toBe('Approved');
});
