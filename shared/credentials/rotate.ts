import { messageOf } from '../base/message-of.ts';
import { changeLedger } from './keep-ledger.ts';
import { observe } from './observe.ts';
import { type NewCredential, publishNew } from './publish-new.ts';
import type { RotationContext, RotationSettings } from './rotation-context.ts';
import { inStep, RotationError } from './rotation-error.ts';
import { planRotation, type RotationPlan, type TokenVerdict } from './rotation-plan.ts';

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
  const retiredIds = plan.retire.length > 0 ? await retire(context, settings, plan.retire) : [];
  if (plan.action === 'blocked') throw new RotationError('decide', plan.reason);
  return { plan, made, retiredIds };
}

/** Deletes tokens, and then removes them from the ledger. A token that cannot be deleted does not stop the deletion of others. */
async function retire(
  context: RotationContext,
  settings: RotationSettings,
  verdicts: readonly TokenVerdict[],
): Promise<string[]> {
  const deleted = await Promise.allSettled(
    verdicts.map(({ token }) =>
      inStep('retire', `deleting token ${token.id}`, () => context.tokens.deleteToken(token)),
    ),
  );
  const retiredIds = verdicts.flatMap(({ token }, index) =>
    deleted[index]?.status === 'fulfilled' ? [token.id] : [],
  );
  const forget = () =>
    inStep('retire', `removing ${retiredIds.join(', ')} from the ledger`, () =>
      changeLedger(context, settings, (tokens) => tokens.filter(({ id }) => !retiredIds.includes(id))),
    );
  const forgotten = await Promise.allSettled(retiredIds.length > 0 ? [forget()] : []);
  const failures = [...deleted, ...forgotten].flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  if (failures.length > 1)
    throw new RotationError('retire', failures.map(messageOf).join(' '), {
      cause: new AggregateError(failures),
    });
  if (failures.length === 1) throw failures[0];
  return retiredIds;
}
