import type { HoldChange } from '../capacity/holds/change-holds.ts';
import type { HoldRefusal } from '../capacity/holds/wish.ts';
import { holdNotFound } from './find-hold.ts';
import { viewHold } from './hold-views.ts';
import type { HttpResult } from './http-call.ts';
import { json, noContent } from './json-result.ts';
import { type ProblemCode, ProblemError } from './problem.ts';

/**
 * The answer to a change, or to the plan of one.
 *
 * @throws ProblemError for a change that was not made.
 */
export function holdResult(change: HoldChange, { dryRun = false } = {}): HttpResult {
  switch (change.kind) {
    case 'created':
    case 'extended':
    case 'unchanged':
      return json(change.kind === 'created' && !dryRun ? 201 : 200, {
        ...viewHold(change.hold),
        change: change.kind,
      });
    case 'ended':
      return noContent();
    case 'taken':
      throw new ProblemError({
        code: 'hold-taken',
        detail: `that name stands for ${change.hold.nodes} nodes until ${new Date(change.hold.until).toISOString()}: extend it, end it, or choose another name`,
      });
    case 'over':
      throw new ProblemError({
        code: 'hold-over',
        detail: 'the hold of that name has ended, and is put away within minutes: choose another name',
      });
    case 'unreadable':
      throw new ProblemError({
        code: 'hold-taken',
        detail: 'the parameter of that name holds something else than a hold: DELETE removes it',
      });
    case 'missing':
      throw holdNotFound();
  }
}

const refusals: Readonly<Record<HoldRefusal['cause'], ProblemCode>> = {
  invalid: 'invalid-hold',
  etcd: 'etcd-group',
  'out-of-bounds': 'capacity-out-of-bounds',
};

export const refusedHold = ({ cause, reason }: HoldRefusal): ProblemError =>
  new ProblemError({ code: refusals[cause], detail: reason });
