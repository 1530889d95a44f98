import { DescribeParametersCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { translated } from './plain-parameters.ts';
import { required } from './unreadable-answer.ts';

/** Of a few names: more pages than that are without end. */
const mostPages = 20;

/**
 * When each parameter was last written, in epoch milliseconds. One that is not there is left out. Values are not read, so that no right
 * to secrets is needed.
 *
 * @throws HoldParametersError where Parameter Store refuses or does not answer.
 */
export const readModifiedAt = (
  client: SSMClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  translated(async () => {
    const found = new Map<string, number>();
    let next: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const { Parameters, NextToken, $metadata } = await client.send(
        new DescribeParametersCommand({
          ParameterFilters: [{ Key: 'Name', Option: 'Equals', Values: [...names] }],
          ...(next && { NextToken: next }),
        }),
      );
      for (const { Name, LastModifiedDate } of required(Parameters, { name: 'Parameters', $metadata }))
        if (Name !== undefined && LastModifiedDate !== undefined) found.set(Name, LastModifiedDate.getTime());
      if (!NextToken) return found;
      next = NextToken;
    }
    throw new Error('Parameter Store describes a few parameters without end');
  });
