import { observe } from './observe.ts';
import { type NewCredential, publishNew } from './publish-new.ts';
import { retire } from './retire.ts';
import type { RotationContext, RotationSettings } from './rotation-context.ts';
import { RotationError } from './rotation-error.ts';
import { planRotation, type RotationPlan } from './rotation-plan.ts';

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
