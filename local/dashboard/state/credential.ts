import type { Cloud } from '@drover/cloud-sandbox';
import type { CredentialView } from '../../../ui/state/types.ts';

/** When the credential of new nodes was last published; its content is not read. */
export function credentialView({
  account,
  lambda,
}: Pick<Cloud, 'account' | 'lambda'>): CredentialView | undefined {
  const parameterName = lambda.functionOf('bootstrap-credential').environment.DROVER_BOOTSTRAP_PARAMETER;
  if (parameterName === undefined) return undefined;
  const { Parameters } = account.ssm.operations.DescribeParameters({
    ParameterFilters: [{ Key: 'Name', Values: [parameterName] }],
  });
  const publishedAt = Parameters[0]?.LastModifiedDate?.getTime();
  return publishedAt === undefined ? undefined : { parameterName, publishedAt };
}
