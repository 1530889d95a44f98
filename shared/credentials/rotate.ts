import { messageOf } from '../base/message-of.ts';
import { observe } from './observe.ts';
import { type NewCredential, publishNew } from './publish-new.ts';
import { inStep, RotationError } from './rotation-error.ts';
import { planRotation, type RotationPlan, type TokenVerdict } from './rotation-plan.ts';
import type { RotationSettings, RotationWorld } from './rotation-world.ts';

export interface RotationOptions {
  /** Makes a new credential although none is due. */
  readonly force?: boolean;
}

export interface RotationReport {
  readonly plan: RotationPlan;
  /** Undefined where the published one was kept. */
  readonly made: NewCredential | undefined;
  readonly retiredIds: readonly string[];
}

/**
 * Steps 1 and 2: what a rotation would do now, and why. Changes nothing.
 *
 * @throws RotationError of step `read`.
 */
export async function previewRotation(
  world: RotationWorld,
  settings: RotationSettings,
  { force = false }: RotationOptions = {},
): Promise<RotationPlan> {
  const sight = await observe(world, settings);
  return planRotation(sight, { ...settings, forced: force }, world.clock.now());
}

/**
 * One pass: reads what is published, decides, and where a new credential is due makes, proves and publishes it; then
 * retires the tokens whose overlap is over. May be killed at any line and run beside itself: what is published is always
 * a token that the API server has accepted.
 *
 * @throws RotationError; nothing that was published is taken back by it.
 */
export async function rotate(
  world: RotationWorld,
  settings: RotationSettings,
  options: RotationOptions = {},
): Promise<RotationReport> {
  const plan = await previewRotation(world, settings, options);
  const made = plan.action === 'make' ? await publishNew(world, settings) : undefined;
  const retiredIds = await retire(world, plan.retire);
  if (plan.action === 'blocked') throw new RotationError('decide', plan.reason);
  return { plan, made, retiredIds };
}

/** Step 6. One token that cannot be deleted does not keep the others. */
async function retire(world: RotationWorld, verdicts: readonly TokenVerdict[]): Promise<string[]> {
  const results = await Promise.allSettled(
    verdicts.map(({ token }) =>
      inStep('retire', `deleting token ${token.id}`, () => world.tokens.deleteToken(token)),
    ),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 1)
    throw new RotationError('retire', failures.map(messageOf).join(' '), {
      cause: new AggregateError(failures),
    });
  if (failures.length === 1) throw failures[0];
  return verdicts.map(({ token }) => token.id);
}
