import type { SimulationClock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import type { Store } from '../store/store.ts';

/** What every part of the simulated API server works with. */
export interface Context {
  readonly store: Store;
  readonly clock: SimulationClock;
  readonly random: Random;
}

/** The user of a request, as the authenticators know it. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Recorded in managedFields of a server-side apply. */
  readonly fieldManager?: string;
  readonly user?: UserInfo;
  /** Whether the user's write is admitted: throws StatusError 403. Undefined if a part of the cluster itself writes. */
  readonly admit?: (request: AdmissionRequest) => void;
}

/** A valid write, before it is stored. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete';
  readonly definition: ResourceDefinition;
  readonly subresource?: string | undefined;
  readonly name: string;
  readonly previous?: KubernetesObject;
  readonly next?: KubernetesObject;
}
