import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/message-of.ts';
import { observe } from './observe.ts';
import type { ParameterStore } from './parameter-store.ts';
import { type NewCredential, publishNew } from './publish-new.ts';
import { retire } from './retire.ts';
import { RotationError } from './rotation-error.ts';
import { planRotation, type RotationPlan, type RotationTarget } from './rotation-plan.ts';
import type { TokenCluster, TokenOwner } from './token-cluster.ts';

/** The dependencies of a rotation. */
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

/** The owner of the credential, the parameter in which it is published, and what it should be. */
export interface RotationSettings extends Omit<RotationTarget, 'forced'> {
  readonly owner: TokenOwner;
  readonly parameterName: string;
  /** The KMS key of the parameter. Defaults to the account's key for SSM, with which every principal may decrypt. */
  readonly keyId?: string;
}

export interface RotationOptions {
  /** Makes a new credential even if none is due. */
  readonly force?: boolean;
}

export interface RotationReport {
  readonly plan: RotationPlan;
  /** Undefined if the published credential was kept. */
  readonly made: NewCredential | undefined;
  readonly retiredIds: readonly string[];
}

/**
 * Steps 1 and 2: plans what a rotation would do now, with reasons. Changes nothing.
 *
 * @throws RotationError of step `read`.
 */
export async function previewRotation(
  context: RotationContext,
  settings: RotationSettings,
  { force = false }: RotationOptions = {},
): Promise<RotationPlan> {
  const observation = await observe(context, settings);
  return planRotation(observation, { ...settings, forced: force }, context.clock.now());
}

/**
 * One run: reads what is published, and if a new credential is due, makes, proves and publishes it. Then it retires the tokens
 * whose overlap is over. It may be killed at any line, and two runs may overlap: the published token is always one that the API
 * server has accepted.
 *
 * @throws RotationError; the published credential stays.
 */
export async function rotate(
  context: RotationContext,
  settings: RotationSettings,
  options: RotationOptions = {},
): Promise<RotationReport> {
  const plan = await previewRotation(context, settings, options);
  const made = plan.action === 'make' ? await publishNew(context, settings) : undefined;
  const due = plan.retire.map(({ token }) => token);
  const retiredIds = due.length > 0 ? await retire(context, settings, due) : [];
  if (plan.action === 'blocked') throw new RotationError('decide', plan.reason);
  return { plan, made, retiredIds };
}

/**
 * Rotates one credential after another. A failure does not stop the rotation of the others.
 *
 * @throws the error of the only one that failed, or an AggregateError of all that did.
 */
export async function rotateAll<Rotation, Result>(
  rotations: readonly Rotation[],
  rotate: (rotation: Rotation) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: PromiseSettledResult<Result>[] = [];
  for (const rotation of rotations) results.push(...(await Promise.allSettled([rotate(rotation)])));
  return resultsOf(results);
}

/**
 * Rotates all credentials at the same time, so that one whose calls hang does not use the time of the others. Credentials of different roles
 * share nothing.
 *
 * @throws the error of the only one that failed, or an AggregateError of all that did, after all have ended.
 */
export const rotateTogether = async <Rotation, Result>(
  rotations: readonly Rotation[],
  rotate: (rotation: Rotation) => Promise<Result>,
): Promise<readonly Result[]> => resultsOf(await Promise.allSettled(rotations.map(rotate)));

function resultsOf<Result>(results: readonly PromiseSettledResult<Result>[]): readonly Result[] {
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join(' '));
  if (failures.length === 1) throw failures[0];
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
