import { durationText } from '../base/duration.ts';
import type { BootstrapRole } from '../credentials/token-cluster.ts';
import type { FoundProblem } from './problem.ts';

/** The published credential with which the nodes of a role join. */
export interface PublishedCredential {
  readonly role: BootstrapRole;
  readonly parameterName: string;
  /** Epoch milliseconds; undefined if none is published, as in a deployment that makes none. */
  readonly publishedAt: number | undefined;
  readonly rotationSeconds: number;
}

/** bootstrap-credential runs every hour, so a credential may be due for that long. The alarm has the same threshold. */
export const toleratedSeconds = 3600;

/** Credentials that were not replaced in time. Pure. */
export const credentialProblems = (
  credentials: readonly PublishedCredential[],
  at: number,
): readonly FoundProblem[] =>
  credentials.flatMap(({ role, parameterName, publishedAt, rotationSeconds }) => {
    const problem = {
      kind: 'credential',
      subject: parameterName,
      command: `drover rotate${role === 'worker' ? '' : ` --role ${role}`}`,
    } as const;
    if (publishedAt === undefined) return [];
    const age = Math.floor((at - publishedAt) / 1000);
    if (age <= rotationSeconds + toleratedSeconds) return [];
    return [
      {
        ...problem,
        message: `the bootstrap credential of ${role} nodes is ${durationText(age)} old, and is replaced every ${durationText(rotationSeconds)}: new nodes cannot join once it expires`,
        since: new Date(publishedAt + rotationSeconds * 1000).toISOString(),
      },
    ];
  });
