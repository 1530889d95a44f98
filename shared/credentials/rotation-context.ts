import type { Clock } from '../base/clock.ts';
import type { ParameterStore } from './parameter-store.ts';
import type { RotationTarget } from './rotation-plan.ts';
import type { TokenCluster, TokenOwner } from './token-cluster.ts';

/** What a rotation is given to act with. */
export interface RotationContext {
  readonly parameters: ParameterStore;
  readonly tokens: TokenCluster;
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Receives the age of the published credential as soon as it is known, also in runs that fail later. */
  readonly recordAge: (age: PublishedAge) => void;
}

export interface PublishedAge {
  readonly ageSeconds: number;
  /** How far the age exceeds the rotation period. */
  readonly overdueSeconds: number;
}

/** The owner of the credential, where it is published and what it should be. */
export interface RotationSettings extends Omit<RotationTarget, 'forced'> {
  readonly owner: TokenOwner;
  readonly parameterName: string;
  /** The KMS key of the parameter; absent: the account's default key for SSM, with which every principal may decrypt. */
  readonly keyId?: string;
}
