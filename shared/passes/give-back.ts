import { eksNodegroupOf } from '../groups/eks-nodegroup.ts';
import { roleOf } from '../groups/group.ts';

/** The tag with which a group has empty nodes given back at once after its last hold. Nothing is given back without it. */
export const giveBackTagKey = 'drover.dev/give-back-empty';

type Tags = Readonly<Record<string, string>>;

export interface ReadGiveBack {
  readonly isOn: boolean;
  readonly problems: readonly string[];
}

/** Whether empty nodes of a group with these tags are given back. A tag that cannot be read gives nothing back, and `problems` names it. Pure. */
export function readGiveBack(tags: Tags): ReadGiveBack {
  const value = tags[giveBackTagKey];
  if (value === undefined || value === 'false') return { isOn: false, problems: [] };
  if (value !== 'true') return off(`says something else than true or false; nothing is given back`);
  if (roleOf({ tags }) !== 'worker')
    return off(`does nothing: Drover gives back nodes of workers only, because others may be a quorum`);
  return eksNodegroupOf({ tags }) === undefined
    ? { isOn: true, problems: [] }
    : off('does nothing: EKS alone sets the size of its node groups, and chooses the instance that goes');
}

const off = (why: string): ReadGiveBack => ({ isOn: false, problems: [`tag ${giveBackTagKey} ${why}`] });
