import type { Cloud } from '@drover/cloud-sandbox';
import type { GroupHolds } from '../../../../shared/capacity/holds/floor-record.ts';
import {
  holdPathsOf,
  holdsByGroup,
  holdsIn,
  recordsIn,
} from '../../../../shared/capacity/holds/parameters.ts';
import { textsBelow } from '../texts-below.ts';

type ParameterStore = Cloud['account']['ssm'];

/** The holds of each group with the record of its floor, as they are in Parameter Store. */
export function groupHolds(ssm: ParameterStore, clusterName: string): ReadonlyMap<string, GroupHolds> {
  const paths = holdPathsOf(clusterName);
  return holdsByGroup(
    holdsIn(textsBelow(ssm, paths.holds), paths),
    recordsIn(textsBelow(ssm, paths.floors), paths),
  );
}
