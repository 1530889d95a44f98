import { durationText } from '../../shared/base/duration.ts';
import { isoSeconds } from '../../shared/base/iso-seconds.ts';
import type { HoldChange } from '../../shared/capacity/holds/change-holds.ts';
import type { Hold } from '../../shared/capacity/holds/hold.ts';
import type { PodsFound } from '../../shared/capacity/holds/pods-found.ts';
import { type PodRequest, podRequestJson } from '../../shared/capacity/pod-holds/pod-request.ts';
import type { PodsReading } from '../../shared/capacity/pod-holds/pods-reading.ts';
import { requestText } from '../../shared/capacity/pod-holds/request-text.ts';
import { counted } from '../counted.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/** A hold as JSON. */
export const holdJson = ({ autoScalingGroupName, until, createdAt, endedAt, pods, ...hold }: Hold) => ({
  group: autoScalingGroupName,
  ...hold,
  ...(pods && { pods: podRequestJson(pods) }),
  until: new Date(until).toISOString(),
  ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
  ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
});

/** `hold sale of workers: at least 6 nodes until 2026-11-24T18:00:00Z (2h)`, `hold sale of workers: room for 40 pods with app=web in shop until ...`. */
export const holdText = (
  { autoScalingGroupName, name, nodes, pods, until, raiseMaxSize }: Hold,
  now: number,
): string =>
  `hold ${name} of ${autoScalingGroupName}: ${pods ? roomText(pods) : `at least ${counted(nodes, 'node')}`} until ${isoSeconds(until)} (${leftText(until, now)})${raiseMaxSize ? ', raising MaxSize' : ''}`;

const roomText = (pods: PodRequest): string =>
  pods.selector === undefined ? requestText(pods) : `room for ${requestText(pods)}`;

/** What a hold asks for, for the cell of a table: `6`, or `40 pods`. */
export const askedText = ({ nodes, pods }: Pick<Hold, 'nodes' | 'pods'>): string =>
  pods === undefined ? String(nodes) : counted(pods.total, 'pod');

/** What prewarm has found of the pods of a hold, as JSON. */
export const foundJson = (found: PodsFound | undefined): object =>
  found === undefined ? {} : { found: { ...found, readAt: new Date(found.readAt).toISOString() } };

export const leftText = (until: number, now: number): string =>
  durationText(Math.floor((until - now) / 1000));

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
    case 'replaced':
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

/** What a plan found for a hold, in one line. */
export function podsNowText({ name }: Pick<Hold, 'name'>, reading: PodsReading): string {
  if (reading.kind === 'failed') return `whether there is room now is unknown: ${reading.why}`;
  const verdict = reading.holds[name];
  if (verdict === undefined) return `the group needs ${counted(reading.nodes, 'node')}`;
  const { total, open, placed, why } = verdict;
  return [
    `now ${total - open + placed} of ${total} pods have a node or room`,
    `with this hold the group would have ${counted(reading.nodes, 'node')}`,
    ...(why === undefined ? [] : [why]),
  ].join('; ');
}

/** The same as JSON. */
export function podsNowJson({ name }: Pick<Hold, 'name'>, reading: PodsReading): object {
  if (reading.kind === 'failed') return { why: reading.why };
  return { nodes: reading.nodes, ...reading.holds[name] };
}
