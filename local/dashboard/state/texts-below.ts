import type { Cloud } from '@drover/cloud-sandbox';
import { allPages } from './all-pages.ts';

/** The texts of the parameters below a path, by their names. */
export function textsBelow(
  { operations }: Cloud['account']['ssm'],
  Path: string,
): ReadonlyMap<string, string> {
  const parameters = allPages((NextToken) => {
    const page = operations.GetParametersByPath({ Path, Recursive: true, ...(NextToken && { NextToken }) });
    return { items: page.Parameters, nextToken: page.NextToken };
  });
  return new Map(parameters.map(({ Name = '', Value = '' }) => [Name, Value]));
}
