import { cloudWatchClient } from '../../shared/aws/clients.ts';
import { findProblems } from '../../shared/problems/find-problems.ts';
import type { ProblemObservation, Source } from '../../shared/problems/observation.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import type { FunctionHost } from '../../shared/runtime/host.ts';
import { readRaisedAlarms } from '../observation/raised-alarms.ts';
import { reasonOf } from '../reason-of.ts';
import type { BeginLook } from './point.ts';

/** What a listing has read anyway. */
export type Listed = Pick<ProblemObservation, 'groups' | 'nodes'>;

export const nothingListed: Listed = {
  groups: { kind: 'unknown', reason: 'the listing reads no groups' },
  nodes: { kind: 'unknown', reason: 'the listing reads no Nodes' },
};

interface LookOptions {
  readonly host: FunctionHost;
  /** Defaults to the only stage in the account and region. */
  readonly stage?: string | undefined;
  /** Is asked after the listing. */
  readonly listed: () => Listed;
}

/** Looks at what the listing has read, and at the raised alarms of the deployment: one call. */
export const lookBesides =
  ({ host, stage, listed }: LookOptions): BeginLook =>
  (giveUp) => {
    const client = cloudWatchClient(awsConnection(host));
    const alarms = sourceOf(readRaisedAlarms(client, host.clock, stage, giveUp));
    return async () => ({
      isWhole: false,
      problems: findProblems({ at: host.clock.now(), ...listed(), alarms: await alarms }),
    });
  };

async function sourceOf<Value>(reading: Promise<Value>): Promise<Source<Value>> {
  try {
    return { kind: 'known', value: await reading };
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error) };
  }
}
