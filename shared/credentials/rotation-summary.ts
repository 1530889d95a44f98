import type { RotationReport } from './rotate.ts';
import type { RotationPlan, TokenVerdict } from './rotation-plan.ts';

export interface VerdictSummary {
  readonly tokenId: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  readonly reason: string;
}

/** A plan for people and programs. */
export interface PlanSummary {
  readonly action: RotationPlan['action'];
  readonly reason: string;
  /** The server for new nodes. */
  readonly server: string;
  readonly retire: readonly VerdictSummary[];
  readonly retain: readonly VerdictSummary[];
}

/** What a rotation did. `tokenId`, `expiresAt` and `parameterVersion` describe the credential that it published. */
export interface RotationSummary extends PlanSummary {
  readonly tokenId?: string;
  readonly expiresAt?: string;
  readonly parameterVersion?: number;
}

export const planSummaryOf = ({ action, reason, server, retire, retain }: RotationPlan): PlanSummary => ({
  action,
  reason,
  server,
  retire: retire.map(verdictSummaryOf),
  retain: retain.map(verdictSummaryOf),
});

export const summaryOf = ({ plan, made }: RotationReport): RotationSummary => ({
  ...planSummaryOf(plan),
  ...(made && {
    tokenId: made.tokenId,
    expiresAt: timeOf(made.expiresAt),
    parameterVersion: made.parameterVersion,
  }),
});

const verdictSummaryOf = ({ token, reason }: TokenVerdict): VerdictSummary => ({
  tokenId: token.id,
  expiresAt: timeOf(token.expiresAt),
  reason,
});

const timeOf = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
