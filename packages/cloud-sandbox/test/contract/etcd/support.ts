import { expect } from 'vitest';
import type { EtcdEndpoint, MemberList } from './client.ts';
import type { EtcdWorld, TestMember } from './world.ts';

export const endpointsOf = (members: readonly TestMember[]): readonly EtcdEndpoint[] =>
  members.map(({ endpoint }) => endpoint);

/** Asks four times a second. Throws when it is still not so after so many seconds. */
export async function until(
  world: EtcdWorld,
  what: string,
  { holds, withinSeconds = 30 }: { readonly holds: () => Promise<boolean>; readonly withinSeconds?: number },
): Promise<void> {
  for (let waited = 0; waited < withinSeconds; waited += 0.25) {
    if (await holds()) return;
    await world.pass(0.25);
  }
  throw new Error(`within ${withinSeconds} s it was not so that ${what}`);
}

export const isHealthy = async (world: EtcdWorld, { endpoint }: TestMember): Promise<boolean> => {
  const status = await world.etcd().status(endpoint);
  return status.kind === 'answers' && status.healthy;
};

export const whenHealthy = (world: EtcdWorld, member: TestMember): Promise<void> =>
  until(world, `${member.name} is healthy`, { holds: () => isHealthy(world, member) });

export const whenEnded = async (world: EtcdWorld, member: TestMember): Promise<void> =>
  await until(world, `${member.name} has ended`, { holds: async () => world.ended(member) !== undefined });

/** A cluster of so many members, healthy; for changes it must stand for some seconds. */
export async function formed(world: EtcdWorld, size: number): Promise<readonly TestMember[]> {
  const members = await world.members(size);
  for (const member of members) await world.start(member, { state: 'new', with: members });
  for (const member of members) await whenHealthy(world, member);
  return members;
}

/** So long that every member has been connected to every other for the 5 s that strict reconfiguration asks. */
export const steady = (world: EtcdWorld): Promise<void> => world.pass(6.5);

export async function steadyCluster(world: EtcdWorld, size: number): Promise<readonly TestMember[]> {
  const members = await formed(world, size);
  await steady(world);
  return members;
}

export const listed = (world: EtcdWorld, members: readonly TestMember[]): Promise<MemberList> =>
  world.etcd().members(endpointsOf(members));

export async function idOf(
  world: EtcdWorld,
  members: readonly TestMember[],
  { peerUrl }: Pick<TestMember, 'peerUrl'>,
): Promise<string> {
  const list = await listed(world, members);
  const found = list.members.find(({ peerUrls }) => peerUrls.includes(peerUrl));
  expect(found, `no member has ${peerUrl}`).toBeDefined();
  return found?.id ?? '';
}

/** The first member that leads, or that does not. */
export async function memberWhich(
  world: EtcdWorld,
  members: readonly TestMember[],
  { leads }: { readonly leads: boolean },
): Promise<TestMember> {
  for (const member of members) {
    const status = await world.post(member.endpoint, '/v3/maintenance/status', {});
    const { leader } = JSON.parse(status.body) as { readonly leader?: string };
    if ((leader === (await idOf(world, members, member))) === leads) return member;
  }
  throw new Error(`there is no member that ${leads ? 'leads' : 'follows'}`);
}

/** Of a call that must fail. */
export const refusal = (code: string, message = ''): unknown =>
  expect.objectContaining({ name: 'EtcdRefusal', code, message: expect.stringContaining(message) as string });

export const unusedPeerUrl = 'https://127.0.0.99:2380';
