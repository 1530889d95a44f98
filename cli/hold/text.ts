import { durationText } from '../../shared/base/duration.ts';
import type { HoldChange } from '../../shared/capacity/holds/change-holds.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/** A hold as JSON. */
export const holdJson = ({ autoScalingGroupName, until, createdAt, endedAt, ...hold }: Hold) => ({
  group: autoScalingGroupName,
  ...hold,
  until: new Date(until).toISOString(),
  ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
  ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
});

/** `hold sale of workers: at least 6 nodes until 2026-11-24T18:00:00.000Z (2h)`. */
export const holdText = (
  { autoScalingGroupName, name, nodes, until, raiseMaxSize }: Hold,
  now: number,
): string =>
  `hold ${name} of ${autoScalingGroupName}: at least ${nodes} ${nodes === 1 ? 'node' : 'nodes'} until ${new Date(until).toISOString()} (${leftText(until, now)})${raiseMaxSize ? ', raising MaxSize' : ''}`;

export const leftText = (until: number, now: number): string =>
  durationText(Math.round((until - now) / 1000));

type Place = Pick<Hold, 'autoScalingGroupName' | 'name'>;

/**
 * The hold of a change that was made or was not needed.
 *
 * @throws CliError with the reason why there is no such hold, and the remedy.
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
        `the parameter of hold ${name} of ${autoScalingGroupName} does not contain a hold: drover hold end ${autoScalingGroupName} ${name} deletes it`,
      );
    case 'missing':
      throw failed(`${autoScalingGroupName} has no hold ${name}: drover hold list shows them`);
  }
}

const overText = ({ endedAt }: Hold): string =>
  endedAt === undefined
    ? 'has ended and will be deleted within minutes'
    : 'was ended early, and its schedule does not create it again';

const failed = (message: string): CliError => new CliError(message, exitCodes.failed);
