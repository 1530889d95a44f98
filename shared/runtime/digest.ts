import { ssmClient } from '../aws/clients.ts';
import { isThrottled } from '../aws/errors.ts';
import { createGroups } from '../aws/groups.ts';
import { digestParameter } from '../aws/parameters.ts';
import { isRecent } from '../base/is-recent.ts';
import type { LambdaContext } from '../base/lambda.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type DigestContext, type DigestResult, tellDigest } from '../digest/tell-digest.ts';
import type { AutoScaling } from '../groups/auto-scaling.ts';
import type { StatusContext } from '../scale-api/scale-context.ts';
import { observeStatus } from '../scale-api/status.ts';
import { unknownParts } from '../scale-api/status-view.ts';
import { awsConnection } from './aws-connection.ts';
import { readConfig } from './config.ts';
import type { FunctionHost } from './host.ts';
import { composeNotifications } from './notifier.ts';
import { statusContext } from './status-context.ts';

/** Looks at the list of problems, and sends a digest if one is due. It never rejects: no sweep fails because of it. */
type TellProblems = (
  event: unknown,
  sweep: Pick<LambdaContext, 'getRemainingTimeInMillis'> & { readonly wasThrottled: boolean },
) => Promise<void>;

/** Each read of the alarms costs money: see docs/deployment.md. Sweeps are five minutes apart, and one may begin a little earlier. */
const betweenLooksSeconds = 14 * 60;

/** A call that fails once, or as long as every sweep fails, has alarms of its own. */
const lastingSeconds = 3600;

/** The sources of problems may take 30 s, EventBridge 2 s. */
const neededMilliseconds = 40_000;

/**
 * The digest of a deployment; undefined if it is off.
 *
 * @throws ConfigError
 */
export function composeDigest(
  host: FunctionHost,
  {
    cluster,
    autoScaling,
    log,
    metrics,
  }: Pick<StatusContext, 'cluster'> & {
    /** With the answers that the sweep has just got. */
    readonly autoScaling: Pick<AutoScaling, 'listGroups' | 'describeHooks'>;
    readonly log: Log;
    readonly metrics: Metrics;
  },
): TellProblems | undefined {
  const { clusterName, notifications, digest } = readConfig(host.environment, [
    'clusterName',
    'notifications',
    'digest',
  ]);
  if (notifications === 'off' || digest === 'off') return undefined;
  const { clock } = host;
  const connection = awsConnection(host);
  const groups = createGroups({ connection, clusterName, kept: autoScaling });
  const status = statusContext(host, { functionName: 'sweep', groups, cluster, log });
  const context: DigestContext = {
    parameter: digestParameter(ssmClient(connection), `/drover/${clusterName}/digest`),
    notify: composeNotifications(host, log),
    clock,
  };
  let lookedAt = -Infinity;
  let failsSince: number | undefined;
  return async (event, sweep) => {
    if (isOfSchedule(event) && isRecent(lookedAt, { now: clock.now(), seconds: betweenLooksSeconds })) return;
    if (isOfSchedule(event) && sweep.wasThrottled && !isFirstOfHour(clock.now())) {
      log.warn('AWS throttles the sweep, and the digest of problems waits for another one');
      return;
    }
    if (sweep.getRemainingTimeInMillis() < neededMilliseconds) {
      log.warn('the sweep has no time for the digest of problems, and the next one tries again');
      return;
    }
    try {
      const now = clock.now();
      const result = await lookAndTell(context, status);
      if (result !== 'failed') lookedAt = now;
      failsSince = undefined;
    } catch (error) {
      log.error('the digest of problems could not be made, and the next sweep tries again', error);
      failsSince ??= clock.now();
      const isLasting = !isRecent(failsSince, { now: clock.now(), seconds: lastingSeconds });
      if (isLasting && !isThrottled(error)) metrics.put({ NotificationsFailed: 1 });
    }
  };
}

/**
 * While AWS throttles the sweep, a call of the digest would be one less for heartbeats. But an account that is always busy gets a digest too:
 * one sweep in an hour checks. An environment that Lambda has just started knows nothing of the ones before, so the clock decides.
 */
const isFirstOfHour = (now: number): boolean => now % (60 * 60_000) < 5 * 60_000;

/** An operator who invokes the sweep by hand gets a check at once. */
const isOfSchedule = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'source' in event && event.source === 'aws.events';

async function lookAndTell(context: DigestContext, status: StatusContext): Promise<DigestResult> {
  const observed = await observeStatus(status);
  return await tellDigest(context, {
    problems: observed.problems,
    unread: unknownParts(observed),
    notLookedAt: observed.notLookedAt,
  });
}
