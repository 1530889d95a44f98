import type { Case } from '../decision-input.ts';
import { type Cell, table } from '../table.ts';
import { type CheckAnswer, conflict, deny, later, notOurs } from '../verdict.ts';

/** EC2 and the API server are two clocks. */
const clockSkewSeconds = 60;
/** EC2's own lists know a new instance after seconds; minutes are certain. */
export const settleSeconds = 300;

/** The API server removes an approved request after an hour. From then on a second key would not be seen. */
const rivalsKeptSeconds = 3600;

const byPerson = 'a person decides: drover csr approve';

export const cellOf = ({ situation, requester }: Case): Cell => table[situation.kind][requester.kind];

/** The cell of the table, and the window of its `in-window`. */
export function situationCheck(one: Case): CheckAnswer {
  const { reason } = one.situation;
  switch (cellOf(one)) {
    case 'approve':
      return ownNodeCheck(one);
    case 'in-window':
      return windowCheck(one);
    case 'later':
      return later(`${reason}; ${whatEnds(one)}`);
    case 'settling':
      return one.now - one.request.createdAt < settleSeconds * 1000
        ? later(`${reason}, and EC2 may not know it yet`)
        : deny(reason);
    case 'foreign':
      return notOurs(reason);
    case 'conflict':
      return conflict(`${reason}, so another key has its certificate: ${byPerson}, or replace the instance`);
    case 'deny':
      return deny(reason);
  }
}

/** A certificate may outlive its instance: a renewal needs the Node of this one, also in Standby, in a warm pool and on the way out. */
function ownNodeCheck({ requester, situation, node }: Case): CheckAnswer {
  if (requester.kind !== 'node' || !('instance' in situation)) return undefined;
  const { instanceId } = situation.instance;
  if (node?.instanceId === undefined) return later(`${situation.reason}, and has no Node that shows its id`);
  return node.instanceId === instanceId
    ? undefined
    : deny(`${situation.reason}, and the Node of this name belongs to instance ${node.instanceId}`);
}

function whatEnds({ situation, requester }: Case): string {
  switch (situation.kind) {
    case 'no-node':
      return 'it is decided once the kubelet has made the Node';
    case 'node-without-instance':
      return 'it is decided once the cloud provider has set it';
    case 'node-left-over':
      return 'it is decided once that Node is removed';
    case 'held':
    case 'stopped':
      return 'it is decided once the instance is back in service';
    default:
      return requester.kind === 'token' ? byPerson : 'it is looked at again';
  }
}

function windowCheck({ request, situation, settings, now }: Case): CheckAnswer {
  if (!('since' in situation)) return undefined;
  const afterSeconds = (request.createdAt - situation.since) / 1000;
  const { instanceId } = situation.instance;
  if (afterSeconds < -clockSkewSeconds) return deny(`it was made before instance ${instanceId} was launched`);
  if (afterSeconds > settings.joinWindowSeconds)
    return later(
      `it was made ${Math.round(afterSeconds / 60)} minutes after the launch of instance ${instanceId}, outside the window of ${settings.joinWindowSeconds / 60}: ${byPerson}`,
    );
  return now - situation.since <= rivalsKeptSeconds * 1000
    ? undefined
    : later(
        `instance ${instanceId} was launched more than an hour ago, and the API server may have removed another key’s request: ${byPerson}`,
      );
}
