import type { CertificateRequest } from './certificate-request.ts';
import type { CertificateSettings, InstanceFacts, NodeFacts } from './facts.ts';
import type { ReadRequest, RequestReading } from './read-request.ts';
import type { Requester } from './requester.ts';
import type { Situation } from './situation.ts';

/** Another request for the same name and signer, under another key. */
export interface Rival {
  readonly requestName: string;
  readonly requester: Requester['kind'];
  readonly createdAt: number;
  /** Epoch milliseconds; undefined for one that is pending. */
  readonly approvedAt: number | undefined;
}

/** All that a decision about one request depends on, besides its rivals. */
export interface DecisionInput {
  readonly request: CertificateRequest;
  readonly reading: RequestReading;
  /** Every instance of the name. */
  readonly instances: readonly InstanceFacts[];
  readonly node: NodeFacts | undefined;
  readonly settings: CertificateSettings;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A request that Drover judges, in its situation. */
export interface Case extends Omit<DecisionInput, 'reading' | 'instances'> {
  readonly read: ReadRequest;
  readonly requester: Requester;
  readonly situation: Situation;
}
