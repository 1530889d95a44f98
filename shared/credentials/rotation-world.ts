import type { Clock } from '../base/clock.ts';
import type { ParameterStore } from './parameter-store.ts';
import type { RotationAim } from './rotation-plan.ts';
import type { TokenCluster, TokenOwner } from './token-cluster.ts';

/** What a rotation acts on. */
export interface RotationWorld {
  readonly parameters: ParameterStore;
  readonly tokens: TokenCluster;
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Told the age of what is published as soon as it is known, also in runs that fail later. */
  readonly measureAge: (age: PublishedAge) => void;
}

export interface PublishedAge {
  readonly ageSeconds: number;
  /** By how much the age is over the rotation period. */
  readonly overdueSeconds: number;
}

/** Whose credential is rotated, where it is published and what it should be. */
export interface RotationSettings extends Omit<RotationAim, 'forced'> {
  readonly owner: TokenOwner;
  readonly parameterName: string;
  /** The KMS key of the parameter; absent: the account's default key for SSM, with which every principal may decrypt. */
  readonly keyId?: string;
}
