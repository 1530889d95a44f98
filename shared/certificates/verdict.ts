import type { CertificateRequest, Requester } from './certificate-request.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts, OtherNode } from './facts.ts';
import type { ReadRequest, RequestReading } from './read-request.ts';
import type { Situation } from './situation.ts';

/** Another request for the same name and signer, under another key. */
export interface Rival {
  readonly requestName: string;
  readonly requester: Requester['kind'];
  readonly createdAt: number;
  /** Epoch milliseconds; undefined for one that is pending. */
  readonly approvedAt: number | undefined;
}

/** Everything that a decision about one request depends on, besides its rivals. */
export interface DecisionInput {
  readonly request: CertificateRequest;
  readonly read: () => RequestReading;
  /** Every instance of the name. */
  readonly instances: readonly InstanceFacts[];
  readonly node: NodeFacts | undefined;
  /** The Node that the instance of the name has under another of its names. */
  readonly otherNode?: OtherNode | undefined;
  readonly settings: CertificateSettings;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A request that Drover judges, in its situation. */
export interface Case extends Omit<DecisionInput, 'read' | 'instances'> {
  readonly read: ReadRequest;
  readonly requester: Requester;
  readonly situation: Situation;
}

/**
 * What Drover does with a certificate request:
 * - `approve`, `deny`: written to its condition;
 * - `later`: it cannot be decided yet, and is checked again;
 * - `conflict`: several keys ask for one name, and an operator decides;
 * - `not-ours`: another approver's request, which Drover leaves alone.
 */
export type VerdictKind = 'approve' | 'deny' | 'later' | 'conflict' | 'not-ours';

export interface Verdict {
  readonly kind: VerdictKind;
  /** The check that decided. */
  readonly check: string;
  /** One sentence for an operator. */
  readonly reason: string;
}

/** The answer of one check; undefined if it has no objection, and the next check follows. */
export type CheckAnswer = Omit<Verdict, 'check'> | undefined;

export const approve = (reason: string) => ({ kind: 'approve', reason }) as const;
export const deny = (reason: string) => ({ kind: 'deny', reason }) as const;
export const later = (reason: string) => ({ kind: 'later', reason }) as const;
export const conflict = (reason: string) => ({ kind: 'conflict', reason }) as const;
export const notOurs = (reason: string) => ({ kind: 'not-ours', reason }) as const;
