import { batched } from '../../shared/base/batched.ts';
import type { Role } from '../../shared/groups/group.ts';
import type { ManagedGroups } from '../../shared/intake/membership.ts';

/** Instances in groups, some of which are managed. Counts the requests, and fails as often as the state says. */
export function createFakeGroups(state: {
  readonly members: Readonly<Record<string, string>>;
  readonly managed: readonly string[];
  /** Absent for a managed group: `worker`. */
  readonly roles?: Readonly<Record<string, Role>>;
}) {
  const asked = { instances: [] as (readonly string[])[], groups: [] as string[] };
  let failures = 0;
  const failIfTold = (): void => {
    if (failures === 0) return;
    failures -= 1;
    throw new Error('Rate exceeded');
  };
  const managedRoleOf = async (name: string): Promise<Role | undefined> => {
    asked.groups.push(name);
    failIfTold();
    return state.managed.includes(name) ? (state.roles?.[name] ?? 'worker') : undefined;
  };
  const lookUp = batched({
    limit: 50,
    load: async (ids: readonly string[]) => {
      asked.instances.push(ids);
      return new Map(ids.map((id) => [id, state.members[id]]));
    },
  });
  const groups: ManagedGroups = {
    managedRoleOf,
    groupOfInstance: async (id) => {
      failIfTold();
      return await lookUp(id);
    },
    isManaged: async (name) => (await managedRoleOf(name)) !== undefined,
  };
  const failNext = (times = 1): void => {
    failures = times;
  };
  return { groups, asked, failNext };
}
