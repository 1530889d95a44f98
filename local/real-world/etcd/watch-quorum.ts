import { setTimeout as sleep } from 'node:timers/promises';
import { isAway } from '@drover/cloud-sandbox/real/https.ts';
import * as z from 'zod/mini';
import { etcdZone } from '../../wire/etcd-zone.ts';
import type { RealWorld } from '../world.ts';
import { ask, keysIn, startWriter, type WriterEndpoint } from './writer.ts';

/** What the members of etcd themselves have answered since the watch began. */
export interface QuorumFindings {
  /** The fewest voters that answered beyond those that a majority needs; negative if quorum was lost. */
  readonly spareVoters: number;
  /** The longest that no write was acknowledged: an election, or more. */
  readonly longestSilenceMilliseconds: number;
  readonly writes: number;
  /** Acknowledged writes that a read with quorum does not find at the end. */
  readonly lost: number;
}

export interface QuorumWatch {
  /** Ends it. @throws Error if no member answers at the end */
  stop(): Promise<QuorumFindings>;
}

const group = 'etcd';
const pauseMilliseconds = 200;

/**
 * Asks every member of the group etcd who votes and whether it is up, and writes all the time, as API servers do. It asks etcd and not Drover.
 *
 * @throws Error if the world has no etcd
 */
export function watchQuorum({ cloud, etcd }: Pick<RealWorld, 'cloud' | 'etcd'>): QuorumWatch {
  if (etcd === undefined) throw new Error('this world has no etcd');
  const { credentials, addressOf } = etcd;
  const { autoScaling, ec2 } = cloud.account;
  const endpoints = (mayBe: (state: string) => boolean): readonly WriterEndpoint[] =>
    (
      autoScaling.operations.DescribeAutoScalingGroups({ AutoScalingGroupNames: [group] })
        .AutoScalingGroups[0]?.Instances ?? []
    )
      .filter(({ LifecycleState = '' }) => mayBe(LifecycleState))
      .flatMap(({ InstanceId = '' }) => {
        const address = ec2.instances.find(InstanceId)?.privateIpAddress;
        const serverName = `${InstanceId}.${etcdZone.domain}`;
        return address === undefined ? [] : [{ url: `https://${addressOf(address)}:2379`, serverName }];
      });
  const serving = () => endpoints((state) => state === 'InService');
  const writer = startWriter({ credentials }, serving);
  const stopping = new AbortController();
  let spareVoters = Number.POSITIVE_INFINITY;
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const spare = await readSpare(
        endpoints(() => true),
        credentials,
      );
      if (spare !== undefined) spareVoters = Math.min(spareVoters, spare);
      await sleep(pauseMilliseconds);
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      await writer.stop();
      const [endpoint] = serving();
      if (endpoint === undefined) throw new Error('no member of etcd is in service');
      const kept = await keysIn(endpoint, credentials);
      return {
        spareVoters,
        longestSilenceMilliseconds: Math.ceil(writer.longestSilenceSeconds() * 1000),
        writes: writer.acknowledged.length,
        lost: writer.acknowledged.filter((key) => !kept.has(key)).length,
      };
    },
  };
}

const listSchema = z.object({
  members: z.array(z.object({ ID: z.string(), isLearner: z.optional(z.boolean()) })),
});
const statusSchema = z.object({
  header: z.object({ member_id: z.string() }),
});

type Credentials = NonNullable<RealWorld['etcd']>['credentials'];

/** How many voters answer beyond a majority of them; undefined if no member lists them, as in an election: writes show how long that is. */
async function readSpare(
  endpoints: readonly WriterEndpoint[],
  credentials: Credentials,
): Promise<number | undefined> {
  const [lists, statuses] = await Promise.all([
    Promise.all(
      endpoints.map((endpoint) => answerOf(endpoint, credentials, '/v3/cluster/member/list', listSchema)),
    ),
    Promise.all(
      endpoints.map((endpoint) => answerOf(endpoint, credentials, '/v3/maintenance/status', statusSchema)),
    ),
  ]);
  const members = lists.find((list) => list !== undefined)?.members;
  if (members === undefined) return undefined;
  const up = new Set(statuses.map((status) => status?.header.member_id));
  const voters = members.filter(({ isLearner }) => isLearner !== true);
  return voters.filter(({ ID }) => up.has(ID)).length - (Math.floor(voters.length / 2) + 1);
}

/** Undefined if the member does not answer, or refuses, as one without a leader does. */
async function answerOf<Schema extends z.ZodMiniType>(
  endpoint: WriterEndpoint,
  credentials: Credentials,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    const { status, body } = await ask(endpoint, credentials, path, {});
    return status === 200 ? schema.parse(JSON.parse(body)) : undefined;
  } catch (error) {
    if (isAway(error)) return undefined;
    throw error;
  }
}
