import type { Log } from '../base/log.ts';
import { withinTime } from '../base/within-time.ts';
import { keptReading, type Reading } from './kept-while-away.ts';
import { type Patience, readPatiently } from './read-patiently.ts';
import type { InstanceOfIdentity } from './user.ts';

/** An instance that was pending or running when it was listed. */
export interface ListedInstance {
  readonly instanceId: string;
  /** EC2 gives a new instance its name some seconds after its launch. */
  readonly privateDnsName: string | undefined;
}

/** What IAM and EC2 know of the instances of a role. Both reject if the service does not answer. */
export interface InstanceSource {
  /** The ARNs of the instance profiles that contain the role; none if IAM does not know the role. */
  readonly listProfiles: (roleArn: string) => Promise<readonly string[]>;
  /** All pending and running instances with one of these profiles. */
  readonly listInstances: (profileArns: readonly string[]) => Promise<readonly ListedInstance[]>;
}

export interface NodeInstancesOptions extends Patience {
  readonly log: Log;
  readonly source: InstanceSource;
}

/** A node of an identity: its session names the instance, and its ARN the role. */
export interface NodeIdentity {
  readonly instanceId: string;
  readonly roleArn: string;
}

/** How long an instance that has ended may still be admitted. The cache of the API server adds to it. */
const freshSeconds = 120;
/** The same while EC2 or IAM does not answer. After that no node is admitted. */
const staleSeconds = 600;
/**
 * An instance that is missing from a list of this age is missing for good: it takes longer from its launch to its first log-in. So a flood of unknown
 * instances costs each environment one call to EC2 in this time.
 */
const unknownInstanceSeconds = 5;
/** A profile is created long before an instance boots with it. IAM itself is consistent only after some seconds. */
const unknownProfileSeconds = 30;
/** After a refusal the kept list is used for so long before EC2 is asked again, and twice as long after each further one. */
const firstRetrySeconds = 5;
const longestRetrySeconds = 60;
/** For all pages of a list. The API server waits 30 s for the whole answer. */
const longestMilliseconds = 8000;

/**
 * Finds the instances of nodes in lists that hold all instances of a role, so that an environment calls EC2 once for all nodes and not once for
 * each. A list says only that an instance was running when it was read; `freshSeconds` and `staleSeconds` bound how long that counts.
 *
 * @throws StaleInstancesError for an instance that is missing from a list which could not be read again.
 */
export function createNodeInstances(
  options: NodeInstancesOptions,
): (identity: NodeIdentity) => Promise<InstanceOfIdentity> {
  const { clock } = options;
  const kept = new Map<string, RoleInstances>();
  const of = (roleArn: string): RoleInstances => {
    const known = kept.get(roleArn) ?? instancesOfRole(roleArn, options);
    kept.set(roleArn, known);
    return known;
  };
  return async ({ instanceId, roleArn }) => {
    const { readProfiles, readInstances } = of(roleArn);
    const first = await readInstances();
    if (isNamed(first.value.get(instanceId))) return instanceIn(first, { instanceId, roleArn });
    const notBefore = clock.now() - unknownInstanceSeconds * 1000;
    if (first.readAt >= notBefore) return instanceIn(first, { instanceId, roleArn });
    await readProfiles(clock.now() - unknownProfileSeconds * 1000);
    const second = await readInstances(notBefore);
    if (second.readAt < notBefore && !second.value.has(instanceId))
      throw new StaleInstancesError(instanceId, (clock.now() - second.readAt) / 1000);
    return instanceIn(second, { instanceId, roleArn });
  };
}

type Instances = ReadonlyMap<string, ListedInstance>;

interface RoleInstances {
  readonly readProfiles: (notBefore?: number) => Promise<Reading<readonly string[]>>;
  readonly readInstances: (notBefore?: number) => Promise<Reading<Instances>>;
}

function instancesOfRole(roleArn: string, options: NodeInstancesOptions): RoleInstances {
  const { clock, chance, log, source } = options;
  const keptList = <Value>(what: string, list: (kept: Reading<Value> | undefined) => Promise<Value>) =>
    keptReading<Value>({
      clock,
      freshSeconds,
      staleSeconds,
      retrySeconds: (failures) =>
        Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (failures - 1)) * (0.5 + chance()),
      read: list,
      onFailure: (error) =>
        log.error(`the ${what} of a role cannot be listed; the last list is used for ten minutes`, error, {
          role: roleArn,
        }),
    });
  /** A review for which there is a list does not wait for AWS. */
  const ask = <Value>(kept: Reading<unknown> | undefined, list: () => Promise<Value>): Promise<Value> => {
    const inTime = () => withinTime(clock, longestMilliseconds, list());
    return kept === undefined ? readPatiently(options, inTime) : inTime();
  };
  const readProfiles = keptList<readonly string[]>('instance profiles', (kept) =>
    ask(kept, () => source.listProfiles(roleArn)),
  );
  const readInstances = keptList<Instances>('instances', async (kept) => {
    const { value: profiles } = await readProfiles();
    const instances = profiles.length === 0 ? [] : await ask(kept, () => source.listInstances(profiles));
    return new Map(instances.map((instance) => [instance.instanceId, instance]));
  });
  return { readProfiles, readInstances };
}

const isNamed = (instance: ListedInstance | undefined): boolean => instance?.privateDnsName !== undefined;

function instanceIn(
  { value }: Reading<Instances>,
  { instanceId, roleArn }: NodeIdentity,
): InstanceOfIdentity {
  const listed = value.get(instanceId);
  return listed && { isRunning: true, privateDnsName: listed.privateDnsName, roleArn };
}

/** An instance is missing from the last list, and EC2 or IAM does not give a newer one: it may have launched since. */
export class StaleInstancesError extends Error {
  override readonly name = 'StaleInstancesError';

  constructor(instanceId: string, ageSeconds: number) {
    super(
      `instance ${instanceId} is missing from the last list of EC2, which is ${Math.round(ageSeconds)} s old and cannot be read again now`,
    );
  }
}
