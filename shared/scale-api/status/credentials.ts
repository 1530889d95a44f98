import type { BootstrapRole } from '../../credentials/token-cluster.ts';
import type { Part } from './part.ts';

/** The parameter in which the credential of a role is published. */
export interface CredentialParameter {
  readonly role: BootstrapRole;
  readonly parameterName: string;
}

/** What the deployment says of bootstrap credentials. */
export interface CredentialSettings {
  readonly parameters: readonly CredentialParameter[];
  readonly rotationSeconds: number;
}

export interface CredentialStatus extends CredentialParameter {
  readonly state: 'ok' | 'attention' | 'unknown';
  readonly reason: string;
  /** ISO 8601 in UTC. */
  readonly publishedAt: string | null;
  readonly ageSeconds: number | null;
}

/** bootstrap-credential runs every hour, so a credential may be due for as long. The alarm has the same bound. */
const toleratedSeconds = 3600;

/** How old the published credential of each role is, and whether its replacement is overdue. Times are epoch milliseconds. Pure. */
export const credentialStatuses = (
  { parameters, rotationSeconds }: CredentialSettings,
  publishedAt: Part<ReadonlyMap<string, number>>,
  now: number,
): readonly CredentialStatus[] =>
  parameters.map((parameter): CredentialStatus => {
    const nothing = { ...parameter, publishedAt: null, ageSeconds: null };
    if (publishedAt.kind === 'unknown') return { ...nothing, state: 'unknown', reason: publishedAt.reason };
    const at = publishedAt.value.get(parameter.parameterName);
    if (at === undefined)
      return { ...nothing, state: 'attention', reason: 'none is published: new nodes cannot join with it' };
    const ageSeconds = Math.max(0, Math.floor((now - at) / 1000));
    const isOverdue = ageSeconds > rotationSeconds + toleratedSeconds;
    return {
      ...parameter,
      state: isOverdue ? 'attention' : 'ok',
      reason: `published ${ageSeconds} s ago, and replaced every ${rotationSeconds} s${isOverdue ? ': overdue' : ''}`,
      publishedAt: new Date(at).toISOString(),
      ageSeconds,
    };
  });
