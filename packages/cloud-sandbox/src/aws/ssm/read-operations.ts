import type * as Ssm from '@aws-sdk/client-ssm';
import { page, pageSize } from '../paging.ts';
import { AwsError } from '../service.ts';
import { checkCount, validation } from './errors.ts';
import { checkFiltersByPath, checkFiltersOfDescription } from './filter-rules.ts';
import { isUnder, passes } from './filters.ts';
import { presentHistory, presentMetadata, presentParameter } from './present.ts';
import { parameterOf, type Selection, type SsmWorld, select } from './world.ts';

const invalidToken = (): AwsError =>
  new AwsError({ code: 'InvalidNextToken', message: 'The specified token is not valid.' });

interface Paged {
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
}

function paged<T>(items: readonly T[], input: Paged, maximum: number) {
  checkCount('maxResults', input.MaxResults, [1, maximum]);
  const size = pageSize(input.MaxResults, { default: maximum, maximum });
  return page(items, { nextToken: input.NextToken, size, invalidToken });
}

/** The operations that change nothing. */
export const createReadOperations = (world: SsmWorld) => ({
  GetParameter: (input: Ssm.GetParameterCommandInput) => ({
    Parameter: presentParameter(select(world, input.Name ?? ''), input.WithDecryption),
  }),
  GetParameters: (input: Ssm.GetParametersCommandInput) => {
    checkCount('names', input.Names?.length, [1, 10]);
    const found = (input.Names ?? []).map((name) => ({ name, selection: trySelect(world, name) }));
    return {
      Parameters: found.flatMap(({ selection }) =>
        selection === undefined ? [] : [presentParameter(selection, input.WithDecryption)],
      ),
      InvalidParameters: found.filter(({ selection }) => selection === undefined).map(({ name }) => name),
    };
  },
  GetParametersByPath: (input: Ssm.GetParametersByPathCommandInput) => {
    const path = input.Path ?? '';
    if (!path.startsWith('/')) {
      throw validation(
        `The parameter doesn't meet the parameter name requirements: ${path} must begin with "/".`,
      );
    }
    checkFiltersByPath(input.ParameterFilters);
    const found = sorted(world)
      .filter(({ name }) => isUnder(name, path, input.Recursive === true))
      .filter((parameter) => (input.ParameterFilters ?? []).every((filter) => passes(parameter, filter)));
    const { items, nextToken } = paged(found, input, 10);
    return {
      Parameters: items.map(({ name }) => presentParameter(select(world, name), input.WithDecryption)),
      NextToken: nextToken,
    };
  },
  DescribeParameters: (input: Ssm.DescribeParametersCommandInput) => {
    checkFiltersOfDescription(input.ParameterFilters);
    const found = sorted(world).filter((parameter) =>
      (input.ParameterFilters ?? []).every((filter) => passes(parameter, filter)),
    );
    const { items, nextToken } = paged(found, input, 50);
    return { Parameters: items.map(presentMetadata), NextToken: nextToken };
  },
  GetParameterHistory: (input: Ssm.GetParameterHistoryCommandInput) => {
    const parameter = parameterOf(world, input.Name ?? '');
    const { items, nextToken } = paged(parameter.versions, input, 50);
    const history = items.map((version) => presentHistory(parameter, version, input.WithDecryption));
    return { Parameters: history, NextToken: nextToken };
  },
});

const sorted = (world: SsmWorld) =>
  [...world.parameters.values()].sort((left, right) => (left.name < right.name ? -1 : 1));

function trySelect(world: SsmWorld, name: string): Selection | undefined {
  try {
    return select(world, name);
  } catch (error) {
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}
