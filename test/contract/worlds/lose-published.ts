import type { Cloud } from '@drover/cloud-sandbox';

/** Deletes the parameter in which the bootstrap credential is published, if it is. */
export function losePublished({ account, lambda }: Pick<Cloud, 'account' | 'lambda'>): void {
  const { environment } = lambda.functionOf('bootstrap-credential');
  const Names = [environment.DROVER_BOOTSTRAP_PARAMETER ?? ''];
  account.ssm.operations.DeleteParameters({ Names });
}
