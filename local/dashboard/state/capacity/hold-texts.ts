import type { Cloud } from '@drover/cloud-sandbox';
import type { GroupHolds } from '../../../../shared/capacity/holds/floor-record.ts';
import {
  holdPathsOf,
  holdsByGroup,
  holdsIn,
  recordsIn,
} from '../../../../shared/capacity/holds/parameters.ts';
import { allPages } from '../all-pages.ts';

type ParameterStore = Cloud['account']['ssm'];

/** The holds of each group with the record of its floor, as they are in Parameter Store. */
export function groupHolds(ssm: ParameterStore, clusterName: string): ReadonlyMap<string, GroupHolds> {
  const paths = holdPathsOf(clusterName);
  return holdsByGroup(
    holdsIn(textsBelow(ssm, paths.holds), paths),
    recordsIn(textsBelow(ssm, paths.floors), paths),
  );
}

function textsBelow({ operations }: ParameterStore, Path: string): ReadonlyMap<string, string> {
  const parameters = allPages((NextToken) => {
    const page = operations.GetParametersByPath({ Path, Recursive: true, ...(NextToken && { NextToken }) });
    return { items: page.Parameters, nextToken: page.NextToken };
  });
  return new Map(parameters.map(({ Name = '', Value = '' }) => [Name, Value]));
}
