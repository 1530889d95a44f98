import type { EtcdContext } from '../../../shared/etcd/context.ts';
import { findZoneMark } from '../../../shared/etcd/mark.ts';
import { type EtcdObservation, endpointOf } from '../../../shared/etcd/observe.ts';
import { type SnapshotSource, takeSnapshot } from '../../../shared/etcd/snapshots/keep-fresh.ts';
import { listSources } from '../../../shared/etcd/statuses.ts';
import { createEtcdSnapshots } from '../../../shared/etcd-api/etcd-snapshots.ts';
import { streamHttps } from '../../../shared/etcd-api/http.ts';
import { etcdCredentials } from '../../../shared/runtime/etcd-context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { chunksUnlessInterrupted, type InterruptibleContext, unlessInterrupted } from '../../interruption.ts';
import { jsonText } from '../../json-text.ts';
import { etcdContextOf, etcdHostOf, howToAsk, observeZone } from '../zone/access.ts';
import type { ZoneFlags } from '../zone/flags.ts';
import { snapshotStore } from './access.ts';
import type { BucketFlags } from './flags.ts';

export interface SnapshotFlags extends BucketFlags, ZoneFlags {
  readonly member?: string;
  readonly json?: true;
}

/** `drover etcd snapshot`: streams the database of a healthy member into the bucket. */
export async function snapshot(flags: SnapshotFlags, context: InterruptibleContext): Promise<void> {
  const store = snapshotStore(flags, context);
  const etcd = etcdContextOf(flags, context);
  if (!etcd.cluster)
    throw new CliError(
      `a snapshot is read from a member, and members are not asked: ${howToAsk(flags)}`,
      exitCodes.failed,
    );
  const { observation } = await unlessInterrupted(observeZone(etcd), context, untaken);
  const { endpoint, clusterId, revision } = memberFor(observation, etcd, flags.member);
  const credentials = etcdCredentials(etcdHostOf(flags, context));
  const members = createEtcdSnapshots({ stream: context.streamGateway ?? streamHttps, credentials });
  const taken = await takeSnapshot({
    ...store,
    snapshots: { stream: (member) => chunksUnlessInterrupted(members.stream(member), context, untaken) },
    endpoint,
    clusterId,
    revision,
    clock: context.clock,
  });
  const shown = { ...taken, clusterId, member: endpoint.serverName };
  context.stdout.write(
    flags.json
      ? jsonText(shown)
      : `${taken.key}: ${taken.bytes} bytes of ${endpoint.serverName}, SHA-256 ${taken.sha256}\n`,
  );
}

const untaken = 'nothing was stored';

type Chosen = Required<SnapshotSource>;

/** The named member, else a healthy one of the domain's cluster that votes: a learner may be behind. */
function memberFor(observation: EtcdObservation, etcd: EtcdContext, wanted: string | undefined): Chosen {
  const statuses =
    observation.cluster.kind === 'asked' ? observation.cluster.statuses : new Map<string, never>();
  const sources = listSources(statuses, findZoneMark(observation.zone.records, etcd.settings.naming));
  for (const instance of observation.instances) {
    const status = statuses.get(instance.instanceId);
    const endpoint = endpointOf(instance, etcd);
    if (status?.kind !== 'answers' || !endpoint) continue;
    const isWanted = wanted === undefined ? sources.has(instance.instanceId) : instance.instanceId === wanted;
    if (isWanted) return { endpoint, clusterId: status.clusterId, revision: status.revision };
  }
  throw new CliError(
    wanted === undefined
      ? 'no healthy member answers: drover etcd status says why; --member takes the database of one without quorum'
      : `${wanted} does not answer: drover etcd status says why`,
    exitCodes.failed,
  );
}
