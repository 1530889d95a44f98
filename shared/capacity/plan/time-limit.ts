/** Whether a plan shall be given up. A plan is computed without a pause, so nothing else can end it. */
export type IsTimeUp = () => boolean;

/** A plan was given up because its time was up. */
export class PlanTimeError extends Error {
  override readonly name = 'PlanTimeError';
}

/** @throws PlanTimeError if the time is up. */
export function throwIfTimeIsUp(isTimeUp: IsTimeUp | undefined): void {
  if (isTimeUp?.() === true) throw new PlanTimeError('the plan was given up, because its time was up');
}
