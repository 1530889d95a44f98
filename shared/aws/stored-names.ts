import { DescribeParametersCommand, type SSMClient } from '@aws-sdk/client-ssm';

/**
 * The names among these that Parameter Store has no parameter of. Nothing is decrypted, and no value is read. An answer may be a page
 * without a parameter and yet not the last one.
 */
export async function missingParameters(
  client: SSMClient,
  names: readonly string[],
): Promise<readonly string[]> {
  const missing = new Set(names);
  let NextToken: string | undefined;
  do {
    const answer = await client.send(
      new DescribeParametersCommand({
        ParameterFilters: [{ Key: 'Name', Option: 'Equals', Values: [...names] }],
        NextToken,
      }),
    );
    for (const { Name } of answer.Parameters ?? []) if (Name !== undefined) missing.delete(Name);
    ({ NextToken } = answer);
  } while (NextToken !== undefined && missing.size > 0);
  return [...missing];
}
