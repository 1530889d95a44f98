import type { HoldChange } from '../../shared/capacity/holds/change-holds.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { holdText } from './text.ts';

type Place = Pick<Hold, 'autoScalingGroupName' | 'name'>;

/**
 * The hold of a change that was made or was not needed.
 *
 * @throws CliError that says why there is none, and what to do.
 */
export function changedHold(
  change: HoldChange,
  { autoScalingGroupName, name }: Place,
  now: number,
): Hold | undefined {
  switch (change.kind) {
    case 'created':
    case 'extended':
    case 'unchanged':
      return change.hold;
    case 'ended':
      return undefined;
    case 'taken':
      throw failed(
        `that name is taken: ${holdText(change.hold, now)}. Extend it, end it, or give another --name`,
      );
    case 'over':
      throw failed(
        `hold ${name} of ${autoScalingGroupName} ${overText(change.hold)}: create another one with another --name`,
      );
    case 'unreadable':
      throw failed(
        `the parameter of hold ${name} of ${autoScalingGroupName} holds something else: drover hold end ${autoScalingGroupName} ${name} deletes it`,
      );
    case 'missing':
      throw failed(`${autoScalingGroupName} has no hold ${name}: drover hold list shows them`);
  }
}

const overText = ({ endedAt }: Hold): string =>
  endedAt === undefined
    ? 'has ended, and is put away within minutes'
    : 'was ended early, and its schedule does not make it again';

const failed = (message: string): CliError => new CliError(message, exitCodes.failed);
