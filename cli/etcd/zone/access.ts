import type { EtcdContext } from '../../../shared/etcd/context.ts';
import { decideEtcd } from '../../../shared/etcd/decide.ts';
import type { EtcdDecision } from '../../../shared/etcd/decision.ts';
import { type EtcdGroup, findEtcdGroups } from '../../../shared/etcd/groups.ts';
import { type EtcdObservation, observeEtcd } from '../../../shared/etcd/observe.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { composeEtcdContext } from '../../../shared/runtime/etcd-context.ts';
import type { Host } from '../../../shared/runtime/host.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { oneLine } from '../../plain-text.ts';
import type { ZoneFlags } from './flags.ts';

/** The function's host, with what the flags say in its environment. */
export function etcdHostOf(flags: ZoneFlags, context: CliContext): Host {
  const given = {
    ...environmentOf(flags, context),
    ...(flags.domain !== undefined && { DROVER_ETCD_DOMAIN: flags.domain }),
    ...(flags.zone !== undefined && { DROVER_ETCD_ZONE_ID: flags.zone }),
    ...(flags.dnsOnly && { DROVER_ETCD_MODE: 'dns-only' }),
  };
  const { clusterName } = readConfig(given, ['clusterName']);
  return hostOf(context, {
    DROVER_ETCD_CLIENT_PARAMETER: `/drover/${clusterName}/etcd-client`,
    DROVER_ETCD_MEMBER_PARAMETERS: `/drover/${clusterName}/etcd/members`,
    // Nothing is removed by hand, so that no snapshot is asked for.
    DROVER_ETCD_SNAPSHOTS: 'elsewhere',
    ...given,
  });
}

/** @throws ConfigError or CliError with all that is wrong with the flags and the environment; nothing is asked yet. */
export function etcdContextOf(flags: ZoneFlags, context: CliContext): EtcdContext {
  const etcd = composeEtcdContext(etcdHostOf(flags, context), (what) =>
    context.stderr.write(`warning: ${oneLine(what)}\n`),
  );
  if (etcd) return etcd;
  throw new CliError('no discovery domain: give --domain, or set DROVER_ETCD_DOMAIN', exitCodes.usage);
}

/** How to make a command ask the members, if it was configured not to. */
export const howToAsk = ({ dnsOnly }: ZoneFlags): string =>
  `${dnsOnly ? 'omit --dns-only' : 'DROVER_ETCD_MODE is dns-only; unset it'} and run this where the members can be reached`;

/** What a pass would see and decide at this moment; nothing is changed. */
export async function observeZone(etcd: EtcdContext): Promise<{
  readonly groups: readonly EtcdGroup[];
  readonly observation: EtcdObservation;
  readonly decision: EtcdDecision;
}> {
  const groups = await findEtcdGroups(etcd);
  const observation = await observeEtcd(etcd, groups);
  return { groups, observation, decision: decideEtcd(observation, etcd.settings) };
}
